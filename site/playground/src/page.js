// The playground: two texts, a release and a tab, told to the compiler at every keystroke, kept in the fragment of the address.

import { Compiler } from "./compiler.js";
import { counted, make } from "./dom.js";
import { Editor } from "./editor.js";
import { explanationPanel, findingsPanel, picturePanel, releasesPanel, summary, worst } from "./panels.js";
import { pack, unpack } from "./state.js";

const PANELS = { explanation: explanationPanel, picture: picturePanel, releases: releasesPanel };
const FILES = { "trainjob.yaml": "trainjob", "runtimes.yaml": "runtimes" };
// The address follows so long after the last keystroke: browsers refuse to change it too often.
const REST = 400;
// What takes longer is asked so long after it, so that it is in nobody's way.
const PAUSE = 250;
// More than this is no address any more that can be sent to somebody.
const LONGEST = 100_000;

const at = (id) => document.getElementById(id);
const main = document.querySelector("main");
const tabs = [...document.querySelectorAll("[role=tab]")];
const editors = {
  trainjob: new Editor(at("trainjob"), "TrainJob, YAML", { changed: typed }),
  runtimes: new Editor(at("runtimes"), "Runtimes, YAML", { changed: typed }),
};
const output = new Editor(at("output"), "Objects, YAML, read only", { readOnly: true, moved });
let tab = "objects";
let release = "";
let newest = "";
// The origins of one object: its number, the line before it, and an origin a line.
let origins = null;
let round = 0;
let resting;
let applied = location.hash;

const compiler = new Compiler({
  stage: (text) => newest || say(`${text} …`),
  ready: chooseFrom,
  failed: (text) => {
    main.setAttribute("aria-busy", "false");
    say(`The compiler does not run here: ${text}`, "refused");
  },
});

function say(text, state = "") {
  at("status").textContent = text;
  at("status").className = state;
}

function chooseFrom(releases) {
  if (newest) return; // it was started anew, and what it has given up is not asked again
  newest = releases.find((one) => one.newest).name;
  at("release").replaceChildren(...releases.map((one) => make("option", { value: one.name }, `${one.name} (${one.called})`)));
  if (!releases.some((one) => one.name === release)) release = newest;
  at("release").value = release;
  at("release").disabled = false;
  refresh();
}

// Asks for all that is shown. The objects come first, with the findings, since they are quick; with `pause` the rest comes when nobody types.
async function refresh(pause = 0) {
  if (!newest) return;
  const mine = ++round;
  main.setAttribute("aria-busy", "true");
  const texts = Object.fromEntries(Object.entries(FILES).map(([file, name]) => [file, editors[name].text]));
  try {
    const answer = await compiler.ask({ texts, release, view: "objects" });
    if (mine !== round) return;
    showObjects(answer);
    await new Promise((done) => setTimeout(done, pause));
    if (mine !== round) return;
    if (tab === "objects") {
      const { object, before } = objectAtCursor();
      const { view } = await compiler.ask({ texts, release, view: "origins", object });
      if (mine !== round) return;
      origins = { object, before, lines: view.lines };
      tellOrigin();
    } else if (tab in PANELS) {
      const { view } = await compiler.ask({ texts, release, view: tab });
      if (mine !== round) return;
      at(tab).replaceChildren(...PANELS[tab](view));
    }
  } catch (error) {
    if (mine === round) say(error.message, "refused");
  }
  if (mine === round) main.setAttribute("aria-busy", "false");
}

function showObjects({ view, findings, trainjobs, refused }) {
  origins = null;
  tellOrigin();
  output.show(view.text);
  at("output").hidden = at("origin").hidden = !view.text;
  const empty = document.querySelector("#objects .empty");
  empty.hidden = Boolean(view.text);
  const see = make("button", { type: "button", class: "place", click: () => tabs[1].click() }, "see the findings");
  empty.replaceChildren(...(trainjobs ? ["Nothing is created: ", see] : ["There is no TrainJob in the text."]));
  at("findings").replaceChildren(...findingsPanel(findings, goTo, mend));
  for (const [file, name] of Object.entries(FILES)) editors[name].mark(findings.filter((finding) => finding.file === file && finding.line));
  at("count").hidden = !findings.length;
  at("count").textContent = findings.length;
  at("count").className = worst(findings);
  const told = [trainjobs ? counted(trainjobs, "TrainJob") : "No TrainJob", refused && `${refused} refused`, summary(findings)].filter(Boolean).join(", ");
  say(`${release}: ${told}`, refused || worst(findings) === "error" ? "refused" : worst(findings) === "warning" ? "warnings" : "fine");
  performance.mark("shown");
}

// In which of the objects the cursor is, and how many lines stand before that.
function objectAtCursor() {
  const lines = output.text.split("\n").slice(0, output.line);
  return { object: lines.filter((line) => line === "---").length, before: lines.lastIndexOf("---") + 1 };
}

function moved() {
  if (origins && objectAtCursor().object !== origins.object) refresh();
  else tellOrigin();
}

// Where the line of the objects with the cursor comes from.
function tellOrigin() {
  const { line } = output;
  const origin = origins?.lines[line - origins.before - 1];
  const place = origin?.file && `${origin.file}:${origin.line}`;
  at("origin").replaceChildren(
    ...(origin ? [`Line ${line}: ${origin.words || "written by the controller"}`] : []),
    ...(place ? [make("button", { type: "button", click: () => goTo(origin.file, origin.line) }, `Go to ${place}`)] : []),
  );
}

function goTo(file, line, column) {
  editors[FILES[file]].goTo(line, column);
}
goTo.knows = (file) => file in FILES;

function mend(fix) {
  editors[FILES[fix.edits[0].file]].mend(fix);
}

function typed() {
  performance.mark("typed");
  refresh(PAUSE);
  remember();
}

function remember() {
  clearTimeout(resting);
  resting = setTimeout(write, REST);
}

// Whether the address now has what is shown. Not where it would be too long, or somebody has put another link there, which is followed.
async function write() {
  clearTimeout(resting);
  const packed = await pack({ trainjob: editors.trainjob.text, runtimes: editors.runtimes.text, release, tab });
  if (location.hash !== applied) return false;
  const fits = packed.length <= LONGEST;
  applied = fits ? `#s=${packed}` : "";
  history.replaceState(null, "", applied || location.pathname);
  return fits;
}

function choose(name, focus = false) {
  tab = tabs.some((one) => one.getAttribute("aria-controls") === name) ? name : "objects";
  for (const one of tabs) {
    const chosen = one.getAttribute("aria-controls") === tab;
    one.setAttribute("aria-selected", chosen);
    one.tabIndex = chosen ? 0 : -1;
    at(one.getAttribute("aria-controls")).hidden = !chosen;
    if (chosen && focus) one.focus();
  }
}

// Shows another state: of a link, or an example.
function show(state) {
  editors.trainjob.show(state.trainjob);
  editors.runtimes.show(state.runtimes);
  release = state.release || newest;
  if (newest) {
    at("release").value = release;
    if (at("release").selectedIndex < 0) at("release").value = release = newest;
  }
  choose(state.tab);
  refresh();
}

async function follow() {
  if (location.hash === applied) return;
  applied = location.hash;
  const state = await unpack(applied);
  if (state) show(state);
}

tabs.forEach((one, index) => {
  const move = (to) => {
    choose(tabs[(to + tabs.length) % tabs.length].getAttribute("aria-controls"), true);
    refresh();
    remember();
  };
  one.addEventListener("click", () => move(index));
  one.addEventListener("keydown", (event) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  });
});

at("release").addEventListener("change", () => {
  release = at("release").value;
  refresh();
  remember();
});

at("share").addEventListener("click", async () => {
  if (!(await write())) {
    say("This is too much for a link.");
    return;
  }
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied; what you typed stands in it.");
  } catch {
    say("The link is in the address bar; what you typed stands in it.");
  }
});

addEventListener("hashchange", follow);

const response = await fetch(new URL("examples.json", import.meta.url));
const examples = await response.json();
at("example").append(...examples.map((example, index) => make("option", { value: index }, example.title)));
at("example").addEventListener("change", () => {
  const example = examples[at("example").value];
  if (!example) return;
  show({ ...example, release, tab });
  remember();
});
const linked = await unpack(applied);
show(linked ?? { ...examples[0], release: "", tab: "objects" });
