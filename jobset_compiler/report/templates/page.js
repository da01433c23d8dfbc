"use strict";
// The page can be read without any of this, but for TrainJobs that are packed. The script shows which lines belong together, unpacks, filters and prints.

const linesOf = (line) => (line.dataset.to || "").split(" ").map((id) => document.getElementById(id)).filter(Boolean);
let pinned = null;

function clear() {
  for (const line of document.querySelectorAll(".lines .here, .lines .near, .lines .far")) line.classList.remove("here", "near", "far");
}

function show(line) {
  clear();
  if (!line) return;
  line.classList.add("here");
  linesOf(line).forEach((other, index) => other.classList.add(index ? "far" : "near"));
  const words = line.querySelector(".n").title;
  const told = line.closest(".body").querySelector(".told");
  if (told) told.textContent = words ? `From ${words}` : line.dataset.to ? `${linesOf(line).length} lines on the other side` : "";
}

function intoView(line) {
  const pane = line.closest(".pane");
  const bounds = line.getBoundingClientRect(), frame = pane.getBoundingClientRect();
  if (bounds.top < frame.top + 40 || bounds.bottom > frame.bottom) pane.scrollTop += bounds.top - frame.top - frame.height / 3;
}

function follow(line) {
  pinned = line;
  show(line);
  const [other] = linesOf(line);
  if (other) intoView(other);
}

const lineAt = (event) => (event.target.closest ? event.target.closest(".lines li") : null);

document.addEventListener("mouseover", (event) => {
  const line = lineAt(event);
  if (line) show(line);
  else if (!event.target.closest(".lines")) show(pinned);
});
document.addEventListener("click", (event) => {
  const line = lineAt(event);
  if (!line) return;
  if (event.target.closest("a.n")) event.preventDefault();
  if (!String(getSelection())) follow(line);
});
document.addEventListener("focusin", (event) => {
  const line = lineAt(event);
  if (line && event.target.matches("a.n:focus-visible")) show(line);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && pinned) {
    pinned = null;
    clear();
    return;
  }
  const line = lineAt(event);
  const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 0, ArrowLeft: 0 }[event.key];
  if (!line || step === undefined || !event.target.matches("a.n")) return;
  let target;
  if (step) {
    const links = [...line.closest(".pane").querySelectorAll("a.n")];
    target = links[links.indexOf(event.target) + step];
  } else {
    const [other] = linesOf(line);
    target = other && other.querySelector("a.n");
  }
  if (!target) return;
  event.preventDefault();
  focusOn(target);
});

// One stop of the tab key a pane; within it the arrow keys move.
function focusOn(link) {
  for (const other of link.closest(".pane").querySelectorAll('a.n[tabindex="0"]')) other.tabIndex = -1;
  link.tabIndex = 0;
  link.focus({ preventScroll: true });
  const line = link.closest("li");
  intoView(line);
  follow(line);
}

function prepare(body) {
  for (const pane of body.querySelectorAll(".pane")) {
    pane.querySelectorAll("a.n").forEach((link, index) => { link.tabIndex = index ? -1 : 0; });
  }
}

async function unpack(details) {
  const packed = details.querySelector(':scope > script[type="application/octet-stream"]');
  if (!packed) return;
  const bytes = Uint8Array.from(atob(packed.textContent), (character) => character.charCodeAt(0));
  packed.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const parsed = new DOMParser().parseFromString(await new Response(stream).text(), "text/html");
  const body = details.querySelector(".body");
  body.replaceChildren(...parsed.body.childNodes);
  prepare(body);
}

document.addEventListener("toggle", (event) => {
  if (event.target.open && event.target.parentElement.matches(".job")) unpack(event.target);
}, true);

// A link to a TrainJob, or to a line in one, opens it.
async function arrive() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const number = /^(?:job-|j)(\d+)/.exec(hash);
  const section = number && document.getElementById(`job-${number[1]}`);
  if (!section) return;
  const details = section.querySelector("details");
  await unpack(details);
  details.open = true;
  const target = document.getElementById(hash);
  target.scrollIntoView({ block: target === section ? "start" : "center" });
  if (target.matches(".lines li")) follow(target);
}
addEventListener("hashchange", arrive);
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#j"]:not(.n)');
  if (link && link.hash === location.hash) arrive();
});

const filter = document.getElementById("filter");
if (filter) {
  filter.closest("p").hidden = false;
  const rows = [...document.querySelectorAll("#trainjobs tbody tr")].map((row) => [row, row.textContent.toLowerCase()]);
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    document.getElementById("filtered").textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
}

const opened = [];
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    if (details.querySelector(":scope > script")) continue;
    details.open = true;
    opened.push(details);
  }
});
addEventListener("afterprint", () => {
  for (const details of opened.splice(0)) details.open = false;
});

prepare(document);
arrive();
