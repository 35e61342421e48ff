// SPDX-License-Identifier: MIT
// Asks for the readings twice a second and draws those of the last two minutes.
"use strict";

const PERIOD_MS = 500;
const SPAN_S = 120;
const LEFT = 60, RIGHT = 20, TOP = 16, BOTTOM = 32;    // pixels around the curve, for the axes

const chart = document.getElementById("chart");
const message = document.getElementById("message");
const readings = [];    // [when in s, degrees Celsius]

function draw() {
  if (!readings.length) return;
  const now = readings.at(-1)[0];
  const celsius = readings.map(([, degrees]) => degrees);
  const low = Math.floor(Math.min(...celsius)) - 1;
  const high = Math.ceil(Math.max(...celsius)) + 1;
  const width = chart.clientWidth - LEFT - RIGHT;
  const height = chart.clientHeight - TOP - BOTTOM;
  const x = (ago) => LEFT + width * (1 - ago / SPAN_S);
  const y = (degrees) => TOP + (height * (high - degrees)) / (high - low);
  let drawing = `<polyline points="${readings.map(([when, degrees]) => [x(now - when), y(degrees)]).join(" ")}"/>`;
  for (let degrees = low; degrees <= high; degrees += Math.ceil((high - low) / 8))
    drawing += `<path d="M${LEFT} ${y(degrees)}h${width}"/><text x="${LEFT - 8}" y="${y(degrees) + 4}" text-anchor="end">${degrees} °C</text>`;
  for (let ago = 0; ago <= SPAN_S; ago += 30)
    drawing += `<text x="${x(ago)}" y="${TOP + height + 24}" text-anchor="middle">${ago ? `−${ago} s` : "now"}</text>`;
  chart.innerHTML = drawing;    // numbers only
}

async function refresh() {
  try {
    const response = await fetch("readings", { signal: AbortSignal.timeout(5000) });
    const answer = await response.json();
    for (const [name, value] of Object.entries(answer)) document.getElementById(name).textContent = value;
    document.getElementById("celsius").textContent = answer.celsius.toFixed(1);
    const now = performance.now() / 1000;
    readings.push([now, answer.celsius]);
    while (now - readings[0][0] > SPAN_S) readings.shift();
    draw();
    message.textContent = "";
  } catch {
    message.textContent = "The device does not answer.";
  }
  setTimeout(refresh, PERIOD_MS);    // only now: a slow device is not asked faster than it answers
}

addEventListener("resize", draw);
refresh();
