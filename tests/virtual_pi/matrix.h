/* SPDX-License-Identifier: GPL-2.0 */
/* Contacts with diodes between lines of gpio-sim: a closed one pulls its column down while its row is driven low. One
 * whose diode is missing conducts both ways, one whose diode is reversed from row to column only. Written to debugfs
 * as numbers, bit (6 * row + column) for a contact. Test VM only. */
#include <linux/debugfs.h>

static const unsigned int board_rows[] = { 5, 6, 13, 19, 26, 21 };
static const unsigned int board_columns[] = { 16, 20, 12, 23, 24, 25 };
static u64 board_closed, board_missing, board_reversed;

static void board_files(void)
{
	debugfs_create_x64("board-closed", 0644, NULL, &board_closed);
	debugfs_create_x64("board-missing", 0644, NULL, &board_missing);
	debugfs_create_x64("board-reversed", 0644, NULL, &board_reversed);
}

static u64 board_spread(u64 low)
{
	unsigned int cell;

	for (cell = 0; cell < 36; cell++) {
		u64 row = 1ULL << board_rows[cell / 6], column = 1ULL << board_columns[cell % 6];

		if (!(board_closed >> cell & 1))
			continue;
		if (low & row && !(board_reversed >> cell & 1))
			low |= column;
		if (low & column && (board_missing | board_reversed) >> cell & 1)
			low |= row;
	}
	return low;
}

static bool board_pulls(unsigned int line, const unsigned long *inputs, const unsigned long *values)
{
	u64 low = 0, before = ~0ULL;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		if (!test_bit(board_rows[i], inputs) && !test_bit(board_rows[i], values))
			low |= 1ULL << board_rows[i];
		if (!test_bit(board_columns[i], inputs) && !test_bit(board_columns[i], values))
			low |= 1ULL << board_columns[i];
	}
	while (low != before) {
		before = low;
		low = board_spread(low);
	}
	return low >> line & 1;
}
