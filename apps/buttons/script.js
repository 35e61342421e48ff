// SPDX-License-Identifier: MIT
// Asks the console which keys are held down, again and again, and lights them.
"use strict";

// In the order of their bits (board.h).
const KEYS = ["A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"];
const NONE_THERE = 0x8000;
const PAUSE_MS = 40;       // from an answer to the next question
const PATIENCE_MS = 5000;
const RETRY_MS = 1000;

const said = document.getElementById("said");
const message = document.getElementById("message");
let mean_ms = 0;           // of the time that an answer takes, of about the last ten

async function ask() {
  const response = await fetch("buttons", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(response.statusText);
  return new DataView(await response.arrayBuffer()).getUint16(0, true);
}

function show(state) {
  const held = KEYS.filter((key, bit) => state & (1 << bit));
  for (const key of KEYS) document.getElementById(key).classList.toggle("held", held.includes(key));
  const text = state & NONE_THERE ? "no keys here" : held.join(" + ") || "press a key";
  said.textContent = text;
  said.style.fontSize = `${Math.min(17, 330 / text.length)}px`;
}

async function refresh() {
  const start_ms = performance.now();
  let pause_ms = PAUSE_MS;
  try {
    show(await ask());
    const took_ms = performance.now() - start_ms;
    mean_ms += (took_ms - mean_ms) / (mean_ms ? 10 : 1);
    message.textContent = `An answer takes ${Math.round(mean_ms)} ms.`;
  } catch {
    message.textContent = "The console does not answer.";
    pause_ms = RETRY_MS;
  }
  setTimeout(refresh, pause_ms);    // only now: a slow console is not asked faster than it answers
}

refresh();
