// SPDX-License-Identifier: MIT
// Asks for the readings twice a second and draws those of the last two minutes.
"use strict";

const PERIOD_MS = 500;
const KEPT = 240;

const chart = document.getElementById("chart");
const message = document.getElementById("message");
const celsius = [];

function draw() {
  const scale = devicePixelRatio;
  const width = (chart.width = chart.clientWidth * scale);
  const height = (chart.height = chart.clientHeight * scale);
  const low = Math.floor(Math.min(...celsius)) - 1;
  const high = Math.ceil(Math.max(...celsius)) + 1;
  const y = (degrees) => height - ((degrees - low) / (high - low)) * height;
  const pen = chart.getContext("2d");
  const colour = getComputedStyle(chart);
  pen.font = `${12 * scale}px system-ui`;
  pen.fillStyle = pen.strokeStyle = colour.borderColor;
  for (let degrees = low + 1; degrees < high; degrees++) {
    pen.fillRect(0, y(degrees), width, 1);
    pen.fillText(`${degrees} °C`, 4 * scale, y(degrees) - 4 * scale);
  }
  pen.strokeStyle = colour.color;
  pen.lineWidth = 2 * scale;
  pen.lineJoin = "round";
  pen.beginPath();
  celsius.forEach((degrees, i) => pen.lineTo(width - ((celsius.length - 1 - i) / KEPT) * width, y(degrees)));
  pen.stroke();
}

async function refresh() {
  try {
    const response = await fetch("readings", { signal: AbortSignal.timeout(5000) });
    const readings = await response.json();
    for (const [name, value] of Object.entries(readings)) document.getElementById(name).textContent = value;
    document.getElementById("celsius").textContent = readings.celsius.toFixed(1);
    celsius.push(readings.celsius);
    celsius.splice(0, celsius.length - KEPT);
    draw();
    message.textContent = "";
  } catch {
    message.textContent = "The device does not answer.";
  }
  setTimeout(refresh, PERIOD_MS);    // only now: a slow device is not asked faster than it answers
}

refresh();
