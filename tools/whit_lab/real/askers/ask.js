// SPDX-License-Identifier: MIT
// Clients that ask again and again on connections that they keep, by Node: see ask.py.
const http = require("http");
const task = JSON.parse(require("fs").readFileSync(0));

function once(agent, { method, path, type, body }) {
  return new Promise((resolve) => {
    const headers = type ? { "Content-Type": type, "Content-Length": Buffer.byteLength(body) } : {};
    const options = { host: task.host, port: task.port, agent, method, path, headers, timeout: task.patience_s * 1000 };
    const request = http.request(options, (response) => {
      response.on("data", () => {});
      response.on("end", () => resolve(String(response.statusCode)));
      response.on("error", (error) => resolve(error.code || error.message));
    });
    request.on("timeout", () => request.destroy(new Error("timed out")));
    request.on("error", (error) => resolve(error.code || error.message));
    request.end(body || undefined);
  });
}

async function ask(number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const told = [];
  for (let index = 0; index < task.times; index++) {
    const begun = performance.now();
    const said = await once(agent, task.requests[(number + index) % task.requests.length]);
    told.push([Math.round((performance.now() - begun) * 1000) / 1000, said]);
  }
  agent.destroy();
  return told;
}

Promise.all(Array.from({ length: task.clients }, (_, number) => ask(number))).then((told) =>
  console.log(JSON.stringify(told)),
);
