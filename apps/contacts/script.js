// SPDX-License-Identifier: MIT
// Lists names, shows a contact when its name is opened, adds new ones.
"use strict";

// Octets of UTF-8 that the device keeps of a field.
const LIMITS = { name: 23, phone: 23, mail: 31 };

const find = document.getElementById("find");
const list = document.getElementById("list");
const form = document.querySelector("form");
const message = document.getElementById("message");

function say(text) {
  message.textContent = text;
  if (text) message.scrollIntoView({ block: "nearest" });
}

// Asks the device. A failure becomes an Error with a text.
async function ask(url) {
  let answer;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(15000) });
    if (!response.ok) answer = { error: `The device refuses this (${response.status}).` };
    else answer = await response.json();
  } catch {
    answer = { error: "The device does not answer." };
  }
  if (answer?.error) throw new Error(answer.error);
  return answer;
}

// Runs a task and shows its result.
async function attempt(task) {
  try {
    say((await task()) ?? "");
  } catch (error) {
    say(error.message);
  }
}

// Strings become text here, never markup.
function element(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

function line(text, href) {
  const link = element("a", text);
  link.href = href;
  return element("div", link);
}

async function show(details, id) {
  const contact = await ask(`cb_get?id=${id}`);
  if (!contact) return "This contact is gone.";
  const { phone, mail } = contact;
  details.replaceChildren(details.firstChild);
  if (phone) details.append(line(phone, `tel:${phone.replace(/[^+\d]/g, "")}`));
  if (mail) details.append(line(mail, `mailto:${encodeURI(mail)}`));
  if (!phone && !mail) details.append(element("div", "No phone and no mail."));
}

function item({ id, name }) {
  const summary = element("summary", name);
  const details = element("details", summary);
  summary.dataset.first = [...name][0].toUpperCase();
  summary.style.setProperty("--hue", 260 + 50 * id);
  details.addEventListener("toggle", () => {
    if (details.open) attempt(() => show(details, id));
  });
  const made = element("li", details);
  made.dataset.name = name.toLowerCase();
  return made;
}

// Shows the names that match.
function filter() {
  const wanted = find.value.trim().toLowerCase();
  const items = [...list.children];
  for (const made of items) made.hidden = !made.dataset.name.includes(wanted);
  if (!items.length) return "Nobody is here yet.";
  return items.every((made) => made.hidden) ? "There is no such name." : "";
}

async function load() {
  const contacts = await ask("cb_extract");
  contacts.sort((a, b) => a.name.localeCompare(b.name));
  list.replaceChildren(...contacts.map(item));
  return filter();
}

async function add() {
  const fields = new URLSearchParams(new FormData(form));
  await ask(`cb_add?${fields}`);
  form.reset();
  find.value = "";
  await load();
  return `${fields.get("name")} was added.`;
}

find.addEventListener("input", () => say(filter()));

for (const name in LIMITS) form.elements[name].maxLength = LIMITS[name];

form.addEventListener("input", ({ target }) => {
  const max = target.maxLength;
  const excess = new TextEncoder().encode(target.value).length - max;
  target.setCustomValidity(excess > 0 ? `At most ${max} octets (ü has 2): ${excess} too many.` : "");
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  form.inert = true;
  await attempt(add);
  form.inert = false;
});

attempt(load);
