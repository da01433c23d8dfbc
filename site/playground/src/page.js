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

const at = (id) => document.getElementById(id);
const main = document.querySelector("main");
const tabs = [...document.querySelectorAll("[role=tab]")];
const editors = {
  trainjob: new Editor(at("trainjob"), "TrainJob, YAML", { changed: typed }),
  runtimes: new Editor(at("runtimes"), "Runtimes, YAML", { changed: typed }),
};
const output = new Editor(at("output"), "Objects, YAML, read only", { readOnly: true, moved: tellOrigin });
let tab = "objects";
let release = "";
let newest = "";
let origins = [];
let round = 0;
let resting;
let applied = location.hash;

const compiler = new Compiler({
  stage: (text) => say(`${text} …`),
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
  newest = releases.find((one) => one.newest).name;
  at("release").replaceChildren(...releases.map((one) => make("option", { value: one.name }, `${one.name} (${one.called})`)));
  if (!releases.some((one) => one.name === release)) release = newest;
  at("release").value = release;
  at("release").disabled = false;
  refresh();
}

// Asks for all that is shown. The objects come first, with the findings, since they are quick; what takes longer comes when nobody types.
async function refresh() {
  if (!newest) return;
  const mine = ++round;
  main.setAttribute("aria-busy", "true");
  const texts = Object.fromEntries(Object.entries(FILES).map(([file, name]) => [file, editors[name].text]));
  const ask = (view) => ({ texts, release, view });
  const [first, second] = compiler.ask(ask("objects"), ask(tab === "objects" ? "origins" : tab));
  try {
    showObjects(await first, mine);
    const answer = await second;
    if (mine !== round) return;
    if (tab === "objects") {
      origins = answer.view.lines;
      tellOrigin();
    } else if (tab in PANELS) {
      at(tab).replaceChildren(...PANELS[tab](answer.view));
    }
  } catch (error) {
    if (mine === round) say(error.message, "refused");
  }
  if (mine === round) main.setAttribute("aria-busy", "false");
}

function showObjects({ view, findings, trainjobs, refused }, mine) {
  if (mine !== round) return;
  origins = [];
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

// Where the line of the objects with the cursor comes from.
function tellOrigin() {
  const { state } = output.view;
  const line = state.doc.lineAt(state.selection.main.head).number;
  const origin = origins[line - 1];
  const place = origin?.file && `${origin.file}:${origin.line}`;
  at("origin").replaceChildren(
    ...(origin ? [`Line ${line}: ${origin.words || "as JobSet has it"}`] : []),
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
  refresh();
  remember();
}

function remember() {
  clearTimeout(resting);
  resting = setTimeout(write, REST);
}

// Unless somebody has put another link there, which is followed.
async function write() {
  clearTimeout(resting);
  const packed = await pack({ trainjob: editors.trainjob.text, runtimes: editors.runtimes.text, release, tab });
  if (location.hash !== applied) return;
  applied = `#s=${packed}`;
  history.replaceState(null, "", applied);
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
  await write();
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
