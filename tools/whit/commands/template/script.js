// SPDX-License-Identifier: MIT
"use strict";

const form = document.querySelector("form");
const greeting = document.getElementById("greeting");
const uptime = document.getElementById("uptime");

// Sends one request to hello.c and shows its answer.
async function ask() {
  try {
    const response = await fetch(`hello?${new URLSearchParams(new FormData(form))}`);
    if (!response.ok) throw new Error(response.status);
    const answer = await response.json();
    greeting.textContent = `${answer.greeting}!`;
    uptime.textContent = answer.uptime_s;
  } catch {
    greeting.textContent = "The device does not answer.";
  }
}

// One request for the page, and one for each click. A page that asks every second keeps a small device busy: ask when
// the user does something, or as seldom as the values change.
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
ask();
