// The page of a result: a section per property with its evidence.

/** @typedef {{line: number | null, place: string, news: [string, string][], times: string, state: [string, string][]}} SourceStep */

/** The source with a list item per line. @param {(line: number) => string[]} holds @returns {{box: HTMLElement, lines: HTMLElement[]}} */
function listing(holds) {
  const lines = String(page.source).split("\n").map((text, k) => {
    const said = holds(k + 1);
    return el("li", {}, el("span", {}, text), ...(said.length ? [el("span", { class: "holds" }, said.join("\n"))] : []));
  });
  return { box: el("div", { class: "code", tabindex: "0" }, el("ol", {}, ...lines)), lines };
}

/** The steps of a run of a program. @param {any} trace @returns {SourceStep[]} */
function sourceSteps(trace) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return trace.facts.map((/** @type {any} */ fact) => {
    const names = (trace.variables || {})[fact.location] || [];
    /** @type {[string, string][]} */
    const state = fact.values.map((/** @type {string} */ value, /** @type {number} */ k) => [names[k] ?? `x${k}`, value]);
    const news = state.filter(([name, value]) => known.get(name) !== value);
    for (const [name, value] of news) known.set(name, value);
    return { line: fact.line, place: fact.location, news, state, times: fact.stretch ? `after ${fact.stretch.count} rounds` : "" };
  });
}

/** A run through the source, step by step. @param {any} trace @returns {HTMLElement} */
function stepped(trace) {
  const steps = sourceSteps(trace);
  const { box, lines } = page.source ? listing(() => []) : { box: el("div"), lines: [] };
  const values = el("div"), where = el("p", { "aria-live": "polite" });
  const slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: "0", max: String(steps.length - 1), value: "0", "aria-label": "step" }));
  let now = 0;
  /** @param {number} step */
  function go(step) {
    now = Math.max(0, Math.min(steps.length - 1, step));
    slider.value = String(now);
    const here = steps[now];
    for (const item of lines) item.classList.remove("now");
    if (here.line && lines[here.line - 1]) { lines[here.line - 1].classList.add("now"); lines[here.line - 1].scrollIntoView({ block: "nearest" }); }
    const stack = here.place.split(/(?<=:\d+(?:~\d+)?)\//).join(" → "); // a call ends with its line; other slashes are in names
    where.textContent = plain(`step ${now} of ${steps.length - 1}${here.line ? `, line ${here.line}` : ""}: ${stack} ${here.times}`);
    const fresh = new Set(here.news.map(([name]) => name));
    values.replaceChildren(facts(here.state.slice(0, LIMIT).map(([name, value]) => [name, el("span", fresh.has(name) ? { class: "changed" } : {}, value)])));
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  const view = el("div", { tabindex: "0" }, el("div", { class: "tools" }, button("|◀", () => go(0), "first step"), button("◀", () => go(now - 1), "step back"), button("▶", () => go(now + 1), "next step"), button("▶|", () => go(steps.length - 1), "last step"), slider), where, el("div", { class: "panes" }, box, values));
  keys(view, { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0), End: () => go(steps.length - 1) });
  go(0);
  return view;
}

const SMALL_TREE = 40; // facts of a derivation that is unfolded at once

/** A derivation as a tree, unfolded on demand where it is large. @param {any} trace @returns {HTMLElement} */
function tree(trace) {
  /** @param {number} k @returns {HTMLElement} */
  function node(k) {
    const fact = trace.facts[k], names = (trace.variables || {})[fact.location] || [];
    const shown = fact.values.map((/** @type {string} */ v, /** @type {number} */ i) => (names[i] ? `${names[i]} = ${v}` : v)).join(", ");
    const text = `${k}: ${fact.location}${shown ? `(${shown})` : ""}${fact.line ? `  (line ${fact.line})` : ""}`;
    if (!fact.premises.length) return el("div", { class: "tree" }, el("code", {}, text));
    const details = /** @type {HTMLDetailsElement} */ (el("details", { class: "tree" }, el("summary", {}, el("code", {}, text))));
    const unfold = () => { if (details.childElementCount === 1) details.append(...fact.premises.map(node)); };
    details.addEventListener("toggle", unfold);
    if (budget-- > 0) { details.open = true; unfold(); }
    return details;
  }
  let budget = trace.facts.length <= SMALL_TREE ? SMALL_TREE : 1; // facts may have several places in the tree
  return node(trace.facts.length - 1);
}

/** @param {number} count */
function steps(count) {
  return `${count} step${count === 1 ? "" : "s"}`;
}

/** @param {string[]} texts */
function formulas(texts) {
  if (!texts.length) return el("p", {}, "true: the property is inductive by itself");
  const more = texts.length > LIMIT ? [el("li", { class: "faint" }, `… ${texts.length - LIMIT} more in the data`)] : [];
  return el("ul", { class: "plain" }, ...texts.slice(0, LIMIT).map((text) => el("li", {}, el("code", {}, text))), ...more);
}

/** @param {any} invariant @param {any} spoken the words that its formulas speak of, if that is known @returns {HTMLElement} */
function proof(invariant, spoken) {
  if (invariant.kind === "k-inductive" && !invariant.locations) return el("p", {}, `The property is ${invariant.k}-inductive${invariant.simple ? " on paths without repeated states" : ""}.`);
  if (invariant.clauses) return clauseGroups(invariant.clauses);
  if (invariant.formulas) return spoken ? clauseGroups(invariant.formulas, spoken) : formulas(invariant.formulas);
  const all = Object.entries(/** @type {Record<string, string[]>} */ (invariant.locations)).filter(([, lemmas]) => lemmas.length);
  const places = invariant.places || {};
  const head = invariant.k ? [el("p", {}, `The property is ${invariant.k}-inductive, given that`)] : [];
  if (page.source && Object.keys(places).length) {
    /** @type {Map<number, string[]>} */
    const lines = new Map();
    for (const [name, lemmas] of all) {
      const line = (places[name] || {}).line;
      if (line) lines.set(line, [...new Set([...(lines.get(line) || []), lemmas.includes("false") ? "never reached" : lemmas.join("\n")])]);
    }
    // several points of one line: what holds at each of them, in their order
    const said = (/** @type {string[]} */ points) => (points.length > 1 ? points.map((text, k) => `${k + 1}) ${text.replace(/\n/g, "\n   ")}`) : points);
    return el("div", {}, ...head, listing((line) => said(lines.get(line) || [])).box);
  }
  return el("div", {}, ...head, facts(all.map(([name, lemmas]) => [name, spoken && spoken[name] && lemmas.length > FEW_CLAUSES ? clauseGroups(lemmas, spoken[name]) : el("code", { class: "lemmas" }, lemmas.join("\n"))])));
}

/** @param {any} prop @returns {HTMLElement} */
function evidence(prop) {
  if (prop.trace && prop.trace.facts) {
    const rows = factRows(prop.trace);
    if (rows) return waveform(rows);
    return isRun(prop.trace.facts) ? stepped(prop.trace) : tree(prop.trace);
  }
  if (prop.trace) return waveform(traceRows(prop.trace));
  if (prop.invariant) return proof(prop.invariant, prop.spoken);
  return unsettled(prop);
}

const COUNTED = ["bound", "frames", "lemmas", "obligations", "queries", "time_s"]; // of every engine

/** How far each engine came, where the time went, which obligation came back, and what to try. @param {any} prop @returns {HTMLElement} */
function unsettled(prop) {
  const all = Object.entries(/** @type {Record<string, Record<string, number>>} */ (prop.engines || {}));
  const names = [...new Set(all.flatMap(([, counts]) => Object.keys(counts)))].filter((name) => name !== "time_s" && all.some(([, counts]) => counts[name] > 0 || (name === "bound" && counts[name] === 0)));
  const spent = all.reduce((sum, [, counts]) => sum + (counts.time_s || 0), 0);
  const share = (/** @type {number | undefined} */ time) => el("td", { class: "number" }, time === undefined ? "–" : `${time.toFixed(1)} s`, ...(time && spent ? [" ", el("meter", { min: "0", max: String(spent), value: String(time), "aria-label": "share of the time" })] : []));
  const rows = all.map(([engine, counts]) => el("tr", {}, el("td", {}, engine), ...names.map((name) => el("td", { class: "number" }, counts[name] === undefined || counts[name] < 0 ? "–" : String(counts[name]))), share(counts.time_s)));
  const table = el("div", { class: "frames" }, el("table", {}, el("tr", {}, el("th", { scope: "col" }, "engine"), ...names.map((name) => el("th", { scope: "col" }, name)), el("th", { scope: "col" }, "time")), ...rows));
  const told = flat(prop.statistics || {}, "").filter(([name]) => !COUNTED.includes(name));
  const most = prop.most_returned;
  const returned = most ? [el("h3", {}, "the obligation that came back most"), el("p", {}, `${most.engine}, ${most.returns} time${most.returns === 1 ? "" : "s"}: `, el("code", {}, most.obligation))] : [];
  const said = prop.advice || prop.why; // the advice begins with why
  return el("div", {}, ...(said ? [el("p", {}, said)] : []),
    ...(all.length ? [el("h3", {}, "how far it came, and where the time went"), table] : []), ...returned, ...(told.length ? [el("h3", {}, `what ${prop.engine} counted`), facts(told)] : []));
}

/** Values of nested objects by their paths. @param {any} value @param {string} path @returns {[string, string][]} */
function flat(value, path) {
  if (value === null || typeof value !== "object") return [[path, String(value)]];
  if (Array.isArray(value)) return [[path, value.slice(0, 40).join(", ") + (value.length > 40 ? ", …" : "")]];
  return Object.entries(value).flatMap(([name, inner]) => flat(inner, path ? `${path}, ${name}` : name));
}

/** @param {any} prop @param {number} k */
function section(prop, k) {
  const pairs = /** @type {[string, string | Node][]} */ ([
    ["verdict", el("span", { class: prop.verdict }, prop.verdict + (prop.reason ? ` (${prop.reason})` : ""))],
    ["engine", `${prop.engine}, ${prop.time_s} s`],
  ]);
  if (prop.depth !== null) pairs.push(["depth", steps(prop.depth)]);
  if (prop.bound >= 0) pairs.push(["bound", `no bad state within ${steps(prop.bound)}`]);
  if (prop.by) pairs.push(["checked by", prop.by], ["file read by", prop.read_by.join(", ")]);
  if (prop.line) pairs.push(["place", `${prop.file}:${prop.line}`]);
  return el("section", { id: `p${k}` }, el("h2", {}, prop.name), facts(pairs), evidence(prop), ...regionOf(k), ...checksOf(prop), ...graphOf(prop));
}

/** The page of a result, property by property. @returns {Generator<undefined>} */
function* result() {
  const told = page.result, root = /** @type {HTMLElement} */ (document.getElementById("page"));
  const pairs = /** @type {[string, string | Node][]} */ ([
    ["verdict", el("span", { class: told.verdict }, told.verdict)],
    ["cost", `${told.time_s} s, ${told.cpu_s ?? "?"} s of processors, ${told.memory_mb} MB`],
    ["Lemmata", `${told.version}, seed ${told.seed}`],
  ]);
  if (page.command) pairs.push(["again", el("code", {}, page.command)]);
  if (page.remark) pairs.push(["not shown", page.remark]);
  if (page.digest) pairs.push(["sha256 of the file", el("code", {}, page.digest)]);
  const links = told.properties.map((/** @type {any} */ prop, /** @type {number} */ k) => el("a", { href: `#p${k}`, class: prop.verdict }, prop.name));
  root.replaceChildren(el("h1", {}, told.file), facts(pairs), ...(links.length > 1 ? [el("nav", { "aria-label": "properties" }, ...links)] : []));
  for (const [k, prop] of told.properties.entries()) {
    yield;
    root.append(section(prop, k));
  }
}
