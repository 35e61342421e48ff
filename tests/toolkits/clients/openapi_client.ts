// SPDX-License-Identifier: MIT
// node client.js URL TEXT: calls the functions of apps/services by openapi-fetch with the types that openapi-typescript made,
// and prints what they gave, as JSON.
import createClient from "openapi-fetch";
import type { paths } from "./thermostat.js";

declare const process: { argv: string[] };
declare const console: { log(text: string): void };

const [, , baseUrl, text] = process.argv;
const client = createClient<paths>({ baseUrl });
const echo = await client.POST("/echo", { body: { text } });
const temperature = await client.GET("/temperature", { params: { query: { unit: "f" } } });
await client.POST("/set_points", { body: { day: 20.5, night: 16 } });
const points = await client.POST("/points");
const refused = await client.POST("/set_points", { body: { day: 31, night: 16 } });
console.log(JSON.stringify({
  echo: echo.data?.text,
  unit: temperature.data?.unit,
  points: [points.data?.day, points.data?.night],
  fault: refused.error?.fault.reason,
}));
