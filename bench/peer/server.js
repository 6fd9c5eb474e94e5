// A boardgame.io server: node server.js PORT, in memory; with a folder after the port, in files of that folder.
const { FlatFile, Origins, Server } = require("boardgame.io/server");

const [port, dir] = process.argv.slice(2);
const db = dir && new FlatFile({ dir });
const server = Server({ games: [require("./game.js")], origins: [Origins.LOCALHOST], db: db || undefined });
server.run({ port: Number(port) }).then(() => console.log("ready"));
