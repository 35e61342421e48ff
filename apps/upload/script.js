// SPDX-License-Identifier: MIT
"use strict";

const picture = document.getElementById("picture");
const checksums = document.getElementById("checksums");

async function ask(url, body) {
  const response = await fetch(url, body && { method: "POST", body });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error || `The device refuses this (${response.status}).`);
  return answer;
}

// Does `task` when the form is sent, and tells how it went.
function serve(form, task) {
  const message = form.querySelector("[role=status]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.inert = true;
    message.textContent = "On its way …";
    try {
      message.textContent = await task();
    } catch (error) {
      message.textContent = error.message;
    }
    form.inert = false;
  });
}

// The file itself when it is a PNG that fits; or else drawn again, smaller and smaller until it does.
async function fit(file, room) {
  if (file.type === "image/png" && file.size <= room) return file;
  const image = await createImageBitmap(file).catch(() => {
    throw new Error("This is no picture.");
  });
  const canvas = document.createElement("canvas");
  for (let width = Math.min(image.width, 640); ; width = Math.floor(width * 0.8)) {
    canvas.width = width;
    canvas.height = Math.max(1, Math.round((image.height * width) / image.width));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (made.size <= room) return made;
  }
}

// The answer of picture.c becomes the picture. fetch asks whether the one in the browser's cache is still good; an image
// of a known address would not.
async function show({ octets }) {
  if (!octets) return;
  const image = new Image();
  image.src = URL.createObjectURL(await (await fetch("picture.png")).blob());
  image.alt = "what is stored";
  picture.querySelector("figure").replaceChildren(image);
}

serve(picture, async () => {
  const { room } = await ask("picture");
  const body = new FormData();
  body.append("file", await fit(picture.elements.file.files[0], room), "picture.png");
  const answer = await ask("picture", body);
  await show(answer);
  return `Stored: ${answer.octets} of ${room} octets.`;
});

serve(checksums, async () => {
  const rows = await ask("checksums", new FormData(checksums));
  const table = checksums.querySelector("tbody");
  table.replaceChildren(table.firstChild);
  for (const { name, octets, crc32, more } of rows) {
    const row = table.insertRow();
    for (const text of more ? [`and ${more} more`] : [name, octets, crc32]) row.insertCell().textContent = text;
  }
  return "";
});

ask("picture").then(show);
