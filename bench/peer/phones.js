// The phones that measure: one program and one clock for both servers. Reads one JSON command a line, answers
// each with one line. A time runs from the moment an action is sent until the whole update is at a phone.
//
//   {"join": "ours", "port": 8000, "phones": [{"page": "play", "address": "127.0.1.1", "cookie": "…", "token": "…"}, …]}
//   {"join": "memory", "port": 8001, "phones": 6, "seats": 4}
//   {"play": "ours", "moves": [[phone, {"seat": "p1", "action": "…"}], …]}
//   {"play": "memory", "moves": [[phone, room], …]}
// Whatever is not "ours" is a boardgame.io server, which there may be several of.
const http = require("http");
const net = require("net");
const readline = require("readline");
const WebSocket = require("ws");

const REST = 20; // milliseconds between two moves
const PATIENCE = 50; // such rests until a page must have come
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const tables = {};

/** What both have: the newest version shown, and when each came. */
class Phone {
  version = 0;
  bytes = 0;
  arrived = [];

  saw(version) {
    if (version <= this.version) return;
    this.version = version;
    this.arrived.push([version, performance.now()]);
    this.awaited?.();
  }

  /** When a version, or a newer one, was here. */
  async at(version) {
    while (this.version < version) await new Promise((done) => (this.awaited = done));
    return this.arrived.find(([seen]) => seen >= version)[1];
  }
}

/** A phone of the companion: a live page, and forms on a kept-alive line of their own. */
class OurPhone extends Phone {
  constructor(port, { page, address, cookie, token }) {
    super();
    Object.assign(this, { port, page, address, cookie, token, news: "" });
  }

  /** As many phones as there are addresses: from one of them a house lets in no more than a household. */
  connect() {
    const line = net.connect({ port: this.port, host: "127.0.0.1", localAddress: this.address });
    return line.setNoDelay(true).setEncoding("latin1");
  }

  open() {
    const line = this.connect();
    line.write(this.head("GET", `/events?page=${this.page}`));
    line.on("data", (data) => this.read(data));
    return this.at(1);
  }

  /** An event ends with an empty line; a page, or a change of it, has its version as id. */
  read(data) {
    this.bytes += data.length;
    this.news += data;
    for (let end; (end = this.news.indexOf("\n\n")) >= 0; this.news = this.news.slice(end + 2)) {
      const event = this.news.slice(0, end);
      const page = /event: (page|change)\nid: (\d+)\n/.exec(event);
      if (!page) continue;
      this.saw(Number(page[2]));
    }
  }

  head(method, path, more = "") {
    return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nCookie: ${this.cookie}\r\n${more}\r\n`;
  }

  /** Send the form as the page would; the version that its answer announces comes back. */
  async move(fields) {
    for (let tries = 0; ; tries++) {
      const sent = performance.now();
      const answer = await this.send(fields);
      if (answer.startsWith("HTTP/1.1 204")) return [sent, Number(/x-companion-version: (\d+)/i.exec(answer)[1])];
      // Nobody taps before the page says that it is their turn: this one had not come yet.
      if (tries === PATIENCE) throw new Error(answer.slice(0, 2000));
      await sleep(REST);
    }
  }

  async send(fields) {
    const form = new URLSearchParams({ csrf: this.token, version: this.version, next: "/play", ...fields });
    const kind = "Content-Type: application/x-www-form-urlencoded\r\nX-Companion: pushed\r\n";
    const body = form.toString();
    this.forms ??= this.line();
    this.forms.write(this.head("POST", "/act", `${kind}Content-Length: ${body.length}\r\n`) + body);
    return this.answer();
  }

  /** A line for forms; one that rested too long is hung up by the house. */
  line() {
    return this.connect().on("close", () => (this.forms = null));
  }

  answer() {
    let text = "";
    return new Promise((done) => {
      this.forms.removeAllListeners("data").on("data", (data) => {
        text += data;
        const body = text.indexOf("\r\n\r\n") + 4;
        if (body > 3 && text.length - body >= Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)) done(text);
      });
    });
  }
}

/** A phone of boardgame.io: websocket frames with the least parsing there can be, which favours it. */
class TheirPhone extends Phone {
  constructor(port, match, seat, credentials) {
    super();
    Object.assign(this, { port, match, seat, credentials });
  }

  open() {
    const address = `ws://127.0.0.1:${this.port}/socket.io/?EIO=4&transport=websocket`;
    this.line = new WebSocket(address, { perMessageDeflate: false });
    this.line.on("message", (data) => this.read(data.toString()));
    return this.at(1);
  }

  read(text) {
    this.bytes += text.length;
    if (text[0] === "0") this.line.send("40/hotel,");
    else if (text === "2") this.line.send("3");
    else if (text.startsWith("40/hotel")) this.emit("sync", this.match, this.seat, this.credentials);
    else if (text.startsWith('42/hotel,["update"') || text.startsWith('42/hotel,["sync"')) {
      this.saw(1 + Number(/"_stateID":(\d+)/.exec(text)[1]));
    }
  }

  emit(...told) {
    this.line.send("42/hotel," + JSON.stringify(told));
  }

  async move(room) {
    const before = this.version;
    const payload = { type: "claim", args: [room], playerID: this.seat, credentials: this.credentials };
    const sent = performance.now();
    this.emit("update", { type: "MAKE_MOVE", payload }, before - 1, this.match, this.seat);
    await this.at(before + 1);
    return [sent, before + 1];
  }
}

function post(port, path, body) {
  const headers = { "content-type": "application/json" };
  return new Promise((done, failed) => {
    const asked = http.request({ host: "127.0.0.1", port, path, method: "POST", headers }, (answer) => {
      let text = "";
      answer.on("data", (data) => (text += data)).on("end", () => done(JSON.parse(text)));
    });
    asked.on("error", failed).end(JSON.stringify(body));
  });
}

/** A match with its seats taken; whoever has none watches. */
async function theirTable({ port, phones, seats }) {
  const { matchID } = await post(port, "/games/hotel/create", { numPlayers: seats });
  const joined = [];
  for (let seat = 0; seat < seats; seat++) {
    const who = { playerID: String(seat), playerName: `Phone ${seat}` };
    joined.push((await post(port, `/games/hotel/${matchID}/join`, who)).playerCredentials);
  }
  return Array.from({ length: phones }, (_, i) =>
    i < seats ? new TheirPhone(port, matchID, String(i), joined[i]) : new TheirPhone(port, matchID, null)
  );
}

async function join(command) {
  const ours = command.join === "ours";
  const phones = ours ? command.phones.map((one) => new OurPhone(command.port, one)) : await theirTable(command);
  for (const phone of phones) await phone.open();
  tables[command.join] = phones;
  return { joined: phones.length };
}

/** Every move after the one before is seen by all; for each, the milliseconds until each phone had it. */
async function play({ play: side, moves }) {
  const phones = tables[side];
  const times = [];
  const bytes = () => phones.reduce((sum, phone) => sum + phone.bytes, 0);
  const before = bytes();
  for (const [who, what] of moves) {
    await sleep(REST);
    phones.forEach((phone) => (phone.arrived.length = 0));
    const [sent, version] = await phones[who].move(what);
    times.push((await Promise.all(phones.map((phone) => phone.at(version)))).map((at) => at - sent));
  }
  return { times, bytes: (bytes() - before) / moves.length / phones.length };
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    console.log(JSON.stringify(await (command.join ? join(command) : play(command))));
  }
})();
