/* SPDX-License-Identifier: GPL-2.0 */
/* Contacts with diodes between lines of gpio-sim: a closed one pulls its column down while its row is driven low.
 * Written to debugfs as one number, bit (6 * row + column) for a closed contact. Test VM only. */
#include <linux/debugfs.h>

static const unsigned int board_rows[] = { 5, 6, 13, 19, 26, 21 };
static const unsigned int board_columns[] = { 16, 20, 12, 23, 24, 25 };
static u64 board_closed;

static bool board_pulls(unsigned int line, const unsigned long *inputs, const unsigned long *values)
{
	unsigned int row, column;

	for (column = 0; column < 6; column++) {
		if (board_columns[column] != line)
			continue;
		for (row = 0; row < 6; row++)
			if (board_closed >> (6 * row + column) & 1 && !test_bit(board_rows[row], inputs) &&
			    !test_bit(board_rows[row], values))
				return true;
	}
	return false;
}
