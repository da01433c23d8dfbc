// What the tabs show of an answer.

import { counted, make } from "./dom.js";

const SEVERITIES = ["error", "warning", "info"];
// Elements that our pictures consist of. They are made with all texts escaped; should that ever fail, nothing else is let in.
const DRAWN = new Set(["svg", "title", "desc", "g", "rect", "text", "tspan", "path", "polygon"]);

// "1 error, 2 warnings"; "" for none.
export function summary(findings) {
  const counts = SEVERITIES.map((severity) => [findings.filter((finding) => finding.severity === severity).length, severity]);
  return counts
    .filter(([count]) => count)
    .map(([count, severity]) => (severity === "info" ? counted(count, "note") : counted(count, severity)))
    .join(", ");
}

export function worst(findings) {
  return SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity)) ?? "";
}

// go(file, line, column) leads to a place, mend(file, fix) writes what a fix says.
export function findingsPanel(findings, go, mend) {
  if (!findings.length) return [make("p", { class: "empty" }, "Nothing to complain of.")];
  return findings.map((finding) =>
    make(
      "article",
      { class: `finding ${finding.severity}`, "aria-label": `${finding.severity} ${finding.code}` },
      make(
        "p",
        {},
        make("span", { class: `badge ${finding.severity}` }, finding.severity),
        " ",
        make("b", {}, make("a", { href: `../codes/${finding.code}/`, target: "_blank", rel: "noopener" }, finding.code), ` ${finding.slug}`),
        finding.line ? [" at ", place(finding, go)] : finding.file && ` in ${finding.file}`,
      ),
      make("p", { class: "message" }, finding.message),
      finding.source.trim() && excerpt(finding),
      finding.hint && make("p", { class: "hint message" }, finding.hint),
      finding.notes.map((note) => make("p", { class: "message" }, note.line ? [place(note, go), " "] : "", note.message)),
      finding.fixes.map((fix) => make("button", { type: "button", click: () => mend(fix) }, `Mend: ${fix.title}`)),
    ),
  );
}

function place({ file, line, column }, go) {
  const where = `${file}:${line}:${column}`;
  return go.knows(file) ? make("button", { type: "button", class: "place", click: () => go(file, line, column) }, where) : where;
}

function excerpt({ line, excerpt: [before, at, after] }) {
  return make("pre", { tabindex: "0", role: "group", "aria-label": `Line ${line}` }, make("span", { class: "dim" }, `${line} | `), before, make("mark", {}, at), after);
}

export function explanationPanel({ text }) {
  return [text ? make("pre", {}, text) : nothing()];
}

export function picturePanel({ pictures }) {
  if (!pictures.length) return [nothing()];
  return pictures.map(({ svg, title }) => {
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const safe = [drawn, ...drawn.querySelectorAll("*")].every(
      (element) => DRAWN.has(element.localName) && element.getAttributeNames().every((name) => !name.startsWith("on") && !name.endsWith("href")),
    );
    return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, safe ? document.importNode(drawn, true) : "The picture could not be drawn.");
  });
}

// What of the other releases is opened stays so at the next keystroke.
const opened = new Set();

export function releasesPanel({ here, jobs }) {
  if (!jobs.length) return [nothing()];
  return jobs.flatMap(({ trainjob, releases }) => [
    make("h3", {}, `${trainjob} under the other releases`),
    ...releases.map((other) =>
      make(
        "details",
        {
          open: opened.has(`${trainjob} ${other.release}`) && "",
          toggle: ({ target }) => opened[target.open ? "add" : "delete"](`${trainjob} ${other.release}`),
        },
        make("summary", {}, `${other.release} `, make("span", { class: "dim" }, `(${other.called}) `), make("span", { class: `badge ${other.state}` }, other.state)),
        other.state === "same" && make("p", {}, "The same objects."),
        other.errors.map((error) => make("p", { class: "message" }, error)),
        other.changes.map((change, index) => [
          make("p", { class: "message" }, change.why),
          make(
            "div",
            { class: "scroll", tabindex: "0", role: "group", "aria-label": `What differs under ${other.release}, part ${index + 1}` },
            make(
              "table",
              {},
              make("thead", {}, make("tr", {}, ["Field", here, other.release].map((name) => make("th", { scope: "col" }, name)))),
              make(
                "tbody",
                {},
                change.effects.map(([field, before, after]) =>
                  make("tr", {}, make("th", { scope: "row" }, field), make("td", {}, make("code", {}, before)), make("td", {}, make("code", {}, after))),
                ),
              ),
            ),
          ),
        ]),
      ),
    ),
  ]);
}

function nothing() {
  return make("p", { class: "empty" }, "No TrainJob compiles: see the findings.");
}
