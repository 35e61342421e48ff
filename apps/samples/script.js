// SPDX-License-Identifier: MIT
// The log as a curve, and a button that takes its samples out.
"use strict";

const LOG = 1024;    // samples that it holds
const LOWEST = 14;   // degrees at the bottom of the picture
const SPAN = 16;     // degrees from there to its top

const line = document.getElementById("line");
const message = document.getElementById("message");
const flush = document.getElementById("flush");
const taken = document.getElementById("taken");

async function ask(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(15000) });
  if (!response.ok) throw new Error(response.status);
  return (await response.text()).trim().split("\n").filter(Boolean);
}

async function refresh() {
  try {
    const samples = await ask("samples");
    line.setAttribute("points", samples.map((sample, i) => `${i},${300 - ((sample - LOWEST) * 300) / SPAN}`).join(" "));
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

setInterval(refresh, 2000);
refresh();
