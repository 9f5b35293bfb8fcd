// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/drawing/html_script.hpp"

namespace nvl72block::cli {

const char* const page_style = R"css(
:root{color-scheme:light dark;--bg:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--hover:#eef1f4}
@media (prefers-color-scheme:dark){:root{--bg:#0f1318;--ink:#e6edf3;--soft:#9aa4ae;--line:#343c45;
--hover:#20262d}}
body{margin:0;padding:20px;background:var(--bg);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
main{max-width:1300px;margin:0 auto}
h1{font-size:20px;margin:0 0 6px}p{margin:0}
.drawing{overflow-x:auto;margin:10px 0}#racks{display:block}
form{display:flex;gap:10px;align-items:center;flex-wrap:wrap;margin-top:12px}
input{font:inherit;padding:4px 8px;width:22em;max-width:100%;background:var(--bg);color:var(--ink);
border:1px solid var(--soft);border-radius:4px}
output{color:var(--soft)}
.jobs{max-height:32em;overflow:auto;border:1px solid var(--line);border-radius:4px;
display:inline-block;max-width:100%;margin-bottom:12px}
table{border-collapse:collapse}
th{position:sticky;top:0;background:var(--bg);text-align:left;font-weight:600}
th,td{padding:3px 14px 3px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums}
tbody tr{cursor:pointer}tbody tr:hover,tbody tr:focus,tr.pinned{background:var(--hover)}
tr.pinned td:first-child{box-shadow:inset 3px 0 var(--ink)}tr.off{display:none}
td svg{display:block}
#tip{position:fixed;pointer-events:none;max-width:32em;padding:5px 9px;border-radius:4px;
background:var(--ink);color:var(--bg);font-size:13px;line-height:1.4;overflow-wrap:anywhere}
)css";

const char* const page_script = R"js(
"use strict";
(() => {
const racks = document.getElementById("racks");
const jobs = JSON.parse(document.getElementById("jobs").textContent);
const tip = document.getElementById("tip");
const filter = document.getElementById("filter");
const found = document.getElementById("found");
const nodes = [...racks.querySelectorAll(".n")];
const overlays = [...racks.querySelectorAll(".in .o")];
const rows = [...document.querySelectorAll("tr[data-job]")];
const jobsOf = element => [...element.classList]
    .filter(name => /^j\d+$/.test(name)).map(name => Number(name.slice(1)));
const words = new Map();
for (const node of nodes) {
  const title = node.querySelector("title");
  words.set(node, title.textContent);
  node.setAttribute("aria-label", title.textContent);
  title.remove();
}
const light = document.createElement("style");
document.head.append(light);
let pinned = null;

function show(job) {
  light.textContent = job === null ? "" :
      `#racks .n:not(.j${job}),#racks .in .o:not(.j${job}){opacity:.16}`;
}
function pin(job) {
  pinned = job === pinned ? null : job;
  for (const row of rows) row.classList.toggle("pinned", Number(row.dataset.job) === pinned);
  show(pinned);
}
function place(event) {
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 18;
  const top = below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}
racks.addEventListener("pointermove", event => {
  const text = words.get(event.target);
  tip.hidden = text === undefined;
  if (tip.hidden) { show(pinned); return; }
  tip.textContent = text;
  place(event);
  const [job] = jobsOf(event.target);
  show(job === undefined ? pinned : job);
});
racks.addEventListener("pointerleave", () => { tip.hidden = true; show(pinned); });
racks.addEventListener("click", event => {
  const [job] = words.has(event.target) ? jobsOf(event.target) : [];
  pin(job === undefined ? pinned : job);
});
for (const row of rows) {
  const job = Number(row.dataset.job);
  for (const name of ["pointerenter", "focus"]) row.addEventListener(name, () => show(job));
  for (const name of ["pointerleave", "blur"]) row.addEventListener(name, () => show(pinned));
  row.addEventListener("click", () => pin(job));
  row.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pin(job);
  });
}
addEventListener("keydown", event => {
  if (event.key === "Escape" && pinned !== null) pin(pinned);
});

function apply() {
  const wanted = filter.value.trim().toLowerCase();
  const shown = new Set();
  let count = 0;
  for (const node of nodes) {
    const match = words.get(node).toLowerCase().includes(wanted);
    node.classList.toggle("off", !match);
    if (!match) continue;
    ++count;
    for (const job of jobsOf(node)) shown.add(job);
  }
  for (const overlay of overlays) {
    const its = jobsOf(overlay);
    overlay.classList.toggle("off", its.length > 0 && !its.some(job => shown.has(job)));
  }
  for (const row of rows) {
    const job = Number(row.dataset.job);
    const text = `${jobs[job].name} ${jobs[job].note}`.toLowerCase();
    row.classList.toggle("off", !shown.has(job) && !text.includes(wanted));
  }
  found.textContent = wanted === "" ? "" : `${count} of ${nodes.length} nodes`;
}
filter.addEventListener("input", apply);
document.querySelector("form").addEventListener("submit", event => event.preventDefault());
apply();
})();
)js";

}  // namespace nvl72block::cli
