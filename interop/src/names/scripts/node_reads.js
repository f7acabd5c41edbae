// Prints, as JSON, what content-disposition finds in the header of each name.
const http = require("http");
const { parse } = require("content-disposition");
const [address, count] = process.argv.slice(1);

const agent = new http.Agent({ keepAlive: true });
const read = (at) =>
  new Promise((resolve, reject) => {
    const request = http.get(`http://${address}/names/${at}/url-name`, { agent }, (response) => {
      response.resume();
      response.on("end", () => {
        const name = parse(response.headers["content-disposition"]).parameters.filename;
        resolve(name ?? null);
      });
    });
    request.on("error", reject);
  });

(async () => {
  const names = [];
  for (let at = 0; at < count; at++) names.push(await read(at));
  console.log(JSON.stringify(names));
  agent.destroy();
})();
