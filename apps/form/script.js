// SPDX-License-Identifier: MIT
// Shows the settings in the form, and sends the form to the device. Without this script the form is sent all the same,
// and the answer is shown as it is.
"use strict";

const form = document.querySelector("form");
const fields = form.elements;
const message = document.getElementById("message");
const NAME_MAX = 23;    // octets of UTF-8 that the device keeps

// Asks the device and shows what it has. Resolves to what there is to say about it.
async function ask(request) {
  let settings;
  try {
    const response = await fetch(form.action, request);
    const says = response.ok || response.status === 422;    // 422: it says why it does not take them
    settings = says ? await response.json() : { error: `The device refuses this (${response.status}).` };
  } catch {
    settings = { error: "The device does not answer." };
  }
  if (settings.error) return settings.error;
  fields.name.value = settings.name;
  fields.interval.value = settings.interval;
  fields.mode.value = settings.mode;
  fields.lamp.checked = settings.lamp;
  return "";
}

fields.name.addEventListener("input", () => {
  const excess = new TextEncoder().encode(fields.name.value).length - NAME_MAX;
  fields.name.setCustomValidity(excess > 0 ? `Too long by ${excess}.` : "");
});

form.addEventListener("input", () => {
  message.textContent = "";
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  form.inert = true;
  message.textContent = (await ask({ method: "POST", body: new URLSearchParams(new FormData(form)) })) || "Saved.";
  form.inert = false;
});

document.getElementById("url").textContent = form.action;
ask({}).then((error) => {
  message.textContent = error;
});
