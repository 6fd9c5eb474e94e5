// A table of 36 tiles as a boardgame.io author would write it: open tiles, and secrets that each view strips.
const { ActivePlayers, PlayerView } = require("boardgame.io/core");

const KINDS = ["library", "salon", "kitchen"];

function setup({ ctx }) {
  const tiles = [], secret = {}, players = {};
  for (let i = 0; i < 36; i++) {
    tiles.push({ name: `Room ${i + 1}`, kind: KINDS[i % 3], owner: i % 6 });
    secret[i] = `secret-${i}`;
  }
  for (let seat = 0; seat < ctx.numPlayers; seat++) {
    players[seat] = { hand: [1, 2, 3, 4, 5, 6].map((card) => `secret-${seat}-${card}`) };
  }
  return { tiles, secret, players, moves: 0 };
}

function claim({ G }, room) {
  const tile = G.tiles[room % 36];
  tile.owner = (tile.owner + 1) % 6;
  G.moves += 1;
}

module.exports = {
  name: "hotel",
  setup,
  playerView: PlayerView.STRIP_SECRETS,
  turn: { activePlayers: ActivePlayers.ALL },
  disableUndo: true,
  moves: { claim: { move: claim, client: false } },
};
