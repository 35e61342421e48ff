// SPDX-License-Identifier: MIT
// The log as a curve, and a button that takes its samples out.
"use strict";

const LOG = 1024;    // samples that it holds
const MINUTE = 120;  // samples
const LOWEST = 14;   // degrees Celsius
const HIGHEST = 30;
const LEFT = 60, RIGHT = 24, TOP = 16, BOTTOM = 32;    // pixels around the curve, for the axes

const chart = document.getElementById("chart");
const message = document.getElementById("message");
const flush = document.getElementById("flush");
const taken = document.getElementById("taken");
let samples = [];    // degrees Celsius, the oldest first

async function ask(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(15000) });
  if (!response.ok) throw new Error(response.status);
  return (await response.text()).trim().split("\n").filter(Boolean);
}

function draw() {
  const width = chart.clientWidth - LEFT - RIGHT;
  const height = chart.clientHeight - TOP - BOTTOM;
  const x = (number) => LEFT + (width * number) / LOG;
  const y = (degrees) => TOP + (height * (HIGHEST - degrees)) / (HIGHEST - LOWEST);
  let drawing = `<polyline points="${samples.map((degrees, number) => [x(number), y(degrees)]).join(" ")}"/>`;
  for (let degrees = LOWEST; degrees <= HIGHEST; degrees += 4)
    drawing += `<path d="M${LEFT} ${y(degrees)}h${width}"/><text x="${LEFT - 8}" y="${y(degrees) + 4}" text-anchor="end">${degrees} °C</text>`;
  for (let number = 0; number <= LOG; number += 2 * MINUTE)
    drawing += `<text x="${x(number)}" y="${TOP + height + 24}" text-anchor="middle">${number / MINUTE} min</text>`;
  chart.innerHTML = drawing;    // numbers only
}

async function refresh() {
  try {
    samples = await ask("samples");
    draw();
    const full = samples.length === LOG ? " The log is full." : "";
    message.textContent = samples.length
      ? `${samples.length} samples, the last of them ${samples.at(-1)} °C.${full}`
      : "The log is empty.";
  } catch {
    message.textContent = "The device does not answer.";
  }
}

flush.addEventListener("click", async () => {
  flush.disabled = true;
  try {
    const lines = await ask("log_flush");
    taken.textContent = `Taken: ${lines[0]} °C.`;
  } catch {
    message.textContent = "The device does not answer.";
  }
  flush.disabled = false;
  refresh();
});

addEventListener("resize", draw);
setInterval(refresh, 2000);
refresh();
