// Prints what tedious reads: a letter a value, lengths in four bytes, little-endian.
const fs = require("fs");
const { Connection, Request, TYPES } = require("tedious");
const [host, port] = process.argv[1].split(":");
const sessions = JSON.parse(fs.readFileSync(0, "utf8"));

function write(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function number(letter, value) {
  const bytes = Buffer.alloc(5);
  bytes.write(letter);
  bytes.writeInt32LE(value, 1);
  return bytes;
}

function show(rows) {
  const parts = [];
  for (const row of rows) {
    for (const value of row) {
      if (value === null) parts.push(Buffer.from("N"));
      else if (typeof value === "number") parts.push(number("I", value));
      else {
        const isText = typeof value === "string";
        const bytes = Buffer.from(value);
        parts.push(number(isText ? "T" : "B", bytes.length), bytes);
      }
    }
    parts.push(Buffer.from("R"));
  }
  parts.push(Buffer.from("E"));
  write(Buffer.concat(parts));
}

const connect = (session) =>
  new Promise((resolve, reject) => {
    const connection = new Connection({
      server: host,
      authentication: { type: "default", options: { userName: session.user, password: "secret" } },
      options: {
        port: Number(port),
        database: "base",
        encrypt: false,
        packetSize: session.packet_size,
        requestTimeout: 30000,
        connectTimeout: 30000,
      },
    });
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
  });

const ask = (connection, { how, sql }, before) =>
  new Promise((resolve, reject) => {
    const rows = [];
    const request = new Request(how === "call" ? "select @p" : sql, (error) => {
      if (how === "cancel" && error?.code === "ECANCEL" && rows.length >= 150) resolve([]);
      else if (error || how === "cancel") reject(error ?? new Error("was not cancelled"));
      else resolve(rows);
    });
    request.on("row", (columns) => {
      rows.push(columns.map((column) => column.value));
      if (how === "cancel" && rows.length === 150) connection.cancel();
    });
    if (how === "call") {
      const value = before[0][1];
      request.addParameter("p", typeof value === "string" ? TYPES.NVarChar : TYPES.VarBinary, value);
      connection.execSql(request);
    } else connection.execSqlBatch(request);
  });

(async () => {
  for (const session of sessions) {
    const connection = await connect(session);
    let rows = [];
    for (const one of session.asks) show((rows = await ask(connection, one, rows)));
    await new Promise((resolve) => {
      connection.on("end", resolve);
      connection.close();
    });
  }
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
