// SPDX-License-Identifier: MIT
"use strict";

const form = document.querySelector("form");
const greeting = document.getElementById("greeting");
const uptime = document.getElementById("uptime");

// Asks hello.c and shows what it says.
async function refresh() {
  try {
    const response = await fetch(`hello?${new URLSearchParams(new FormData(form))}`);
    const answer = await response.json();
    greeting.textContent = `${answer.greeting}!`;
    uptime.textContent = answer.uptime_s;
  } catch {
    greeting.textContent = "The device does not answer.";
  }
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", refresh);
setInterval(refresh, 1000);
refresh();
