// SPDX-License-Identifier: MIT
"use strict";

const merged = document.getElementById("merged");

fetch("merged")
    .then(response => response.text())
    .then(text => { merged.innerHTML = text; })    // of which the server has escaped what others said
    .catch(() => { merged.textContent = "The server does not answer."; });
