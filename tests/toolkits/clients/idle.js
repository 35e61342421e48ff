// SPDX-License-Identifier: MIT
// Calls an URL by POST on an agent that keeps its connection, and again after each pause. Prints for each call its status, and whether
// its connection was that of the call before.
"use strict";
const http = require("node:http");

const [url, ...pauses] = process.argv.slice(2);
const agent = new http.Agent({keepAlive: true});
const body = JSON.stringify({text: "again"});
const headers = {"Content-Type": "application/json", "Content-Length": body.length};

function call() {
    return new Promise((resolve, reject) => {
        const request = http.request(url, {method: "POST", agent, headers}, (response) => {
            response.resume();
            response.on("end", () => resolve([response.statusCode, request.reusedSocket]));
        });
        request.on("error", reject);
        request.end(body);
    });
}

async function main() {
    const said = [await call()];
    for (const pause of pauses) {
        await new Promise((resolve) => setTimeout(resolve, Number(pause) * 1000));
        said.push(await call());
    }
    console.log(JSON.stringify(said));
    agent.destroy();
}

main();
