// The page of a comparison: who solved what in which time, as tables that sort and filter, a cactus and a scatter.

/** @typedef {{contestant: string, suite: string, file: string, subset: string, expected: string, verdict: string, outcome: string, reason: string, cpu_s: number, wall_s: number, memory_mb: number}} Run */

const SHORTEST_S = 0.01;
const LOOKS = ["--wave", "--unsafe", "--safe", "--unknown", "--faint"];
const STROKES = ["", "6 3", "2 3", "8 3 2 3", "1 2"];
read();
/** @type {Run[]} */
const runs = page.runs.map((/** @type {any[]} */ row) => Object.fromEntries(page.columns.map((/** @type {string} */ name, /** @type {number} */ k) => [name, row[k]])));
/** @type {string[]} */
const contestants = page.contestants;

/** @param {Run} run */
function isSolved(run) {
  return run.outcome === "solved";
}

/** @param {Run} run */
function fileName(run) {
  return `${run.suite}/${run.file}`;
}

/** Where a time is on a logarithmic axis from 0 to 1. @param {number} seconds */
function onAxis(seconds) {
  const low = Math.log(SHORTEST_S), high = Math.log(Math.max(page.limit_s * 1.25, SHORTEST_S * 2));
  return (Math.log(Math.max(seconds, SHORTEST_S)) - low) / (high - low);
}

/** The powers of ten within the limit. @returns {number[]} */
function ticks() {
  const found = [];
  for (let at = SHORTEST_S; at <= page.limit_s; at *= 10) found.push(at);
  return found;
}

/** Who solved how much. @returns {HTMLElement} */
function summary() {
  const heads = ["contestant", "solved", "safe", "unsafe", "not solved", "wrong", "CPU seconds of the solved"];
  const rows = contestants.map((name) => {
    const mine = runs.filter((run) => run.contestant === name), solved = mine.filter(isSolved);
    const count = (/** @type {string} */ verdict) => String(solved.filter((run) => run.verdict === verdict).length);
    const wrong = mine.filter((run) => run.outcome === "wrong" || run.outcome === "uncertified").length;
    return [name, String(solved.length), count("safe"), count("unsafe"), String(mine.length - solved.length), String(wrong), solved.reduce((sum, run) => sum + run.cpu_s, 0).toFixed(2)];
  });
  return el("div", { class: "frames" }, el("table", { id: "summary" }, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head))), ...rows.map((row) => el("tr", {}, ...row.map((cell, k) => el("td", k ? { class: "number" } : {}, cell))))));
}

/** Files solved within which time; the pointer on a mark says which file it is. @param {(file: string) => void} choose */
function cactus(choose) {
  const width = 520, height = 300, most = Math.max(1, ...contestants.map((name) => runs.filter((run) => run.contestant === name && isSolved(run)).length));
  const x = (/** @type {number} */ k) => 40 + (k / most) * (width - 50), y = (/** @type {number} */ s) => height - 24 - onAxis(s) * (height - 34);
  const parts = ticks().flatMap((at) => [svg("path", { d: `M40 ${y(at)}H${width - 10}`, class: "axis" }), svg("text", { x: 34, y: y(at) + 4, class: "tick end" }, String(Number(at.toPrecision(3))))]);
  contestants.forEach((name, k) => {
    const mine = runs.filter((run) => run.contestant === name && isSolved(run)).sort((a, b) => a.cpu_s - b.cpu_s);
    parts.push(svg("path", { d: mine.length ? `M${mine.map((run, place) => `${x(place + 1).toFixed(1)} ${y(run.cpu_s).toFixed(1)}`).join("L")}` : "", class: "series", stroke: `var(${LOOKS[k % 5]})`, "stroke-dasharray": STROKES[k % 5] }));
    for (const [place, run] of mine.entries()) parts.push(dot(x(place + 1), y(run.cpu_s), k, run, `${name}: ${fileName(run)}, ${run.cpu_s} s`, choose));
  });
  const names = contestants.map((name, k) => el("span", { class: "legend" }, svg("svg", { width: 26, height: 8 }, svg("path", { d: "M0 4H26", class: "series", stroke: `var(${LOOKS[k % 5]})`, "stroke-dasharray": STROKES[k % 5] })), ` ${name}`));
  return el("figure", { class: "chart" }, el("figcaption", {}, `files solved (of ${new Set(runs.map(fileName)).size}), CPU seconds of each`), svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "cactus plot" }, ...parts), el("div", {}, ...names));
}

/** @param {number} x @param {number} y @param {number} look @param {Run} run @param {string} title @param {(file: string) => void} choose */
function dot(x, y, look, run, title, choose) {
  const node = svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5, fill: `var(${LOOKS[look % 5]})`, class: "dot" }, svg("title", {}, title));
  node.addEventListener("click", () => choose(fileName(run)));
  return node;
}

/** One contestant against another, file by file. @param {(file: string) => void} choose */
function scatter(choose) {
  const size = 340, box = el("div");
  const across = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "across" }, ...contestants.map((name) => el("option", {}, name))));
  const up = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "up" }, ...contestants.map((name) => el("option", {}, name))));
  across.selectedIndex = 0;
  up.selectedIndex = Math.min(1, contestants.length - 1);
  const at = (/** @type {Run} */ run) => (isSolved(run) ? run.cpu_s : page.limit_s);
  const x = (/** @type {number} */ s) => 40 + onAxis(s) * (size - 50), y = (/** @type {number} */ s) => size - 24 - onAxis(s) * (size - 34);
  function draw() {
    const one = contestants[across.selectedIndex], other = contestants[up.selectedIndex];
    const second = new Map(runs.filter((run) => run.contestant === other).map((run) => [fileName(run), run]));
    const parts = ticks().flatMap((s) => [svg("text", { x: x(s), y: size - 8, class: "tick" }, String(Number(s.toPrecision(3)))), svg("text", { x: 34, y: y(s) + 4, class: "tick end" }, String(Number(s.toPrecision(3))))]);
    parts.push(svg("path", { d: `M${x(SHORTEST_S)} ${y(SHORTEST_S)}L${x(page.limit_s)} ${y(page.limit_s)}M${x(page.limit_s)} ${y(SHORTEST_S)}V${y(page.limit_s)}H${x(SHORTEST_S)}`, class: "axis line" }));
    for (const run of runs.filter((each) => each.contestant === one)) {
      const mate = second.get(fileName(run));
      const look = { safe: 2, unsafe: 1 }[run.verdict === "unknown" && mate ? mate.verdict : run.verdict] ?? 4;
      if (mate) parts.push(dot(x(at(run)), y(at(mate)), look, run, `${fileName(run)}: ${one} ${cell(run)}, ${other} ${cell(mate)}`, choose));
    }
    box.replaceChildren(svg("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size, role: "img", "aria-label": "scatter plot" }, ...parts));
  }
  across.addEventListener("change", draw);
  up.addEventListener("change", draw);
  draw();
  return el("figure", { class: "chart" }, el("figcaption", {}, "CPU seconds: ", across, " across, ", up, " up; below the line the latter is quicker"), box);
}

/** @param {Run} run */
function cell(run) {
  return isSolved(run) ? `${run.cpu_s.toFixed(2)}` : run.outcome;
}

/** All files; a click on a head sorts, words in the field filter. @returns {{view: HTMLElement, choose: (file: string) => void}} */
function files() {
  /** @type {Map<string, Map<string, Run>>} */
  const rows = new Map();
  for (const run of runs) rows.set(fileName(run), (rows.get(fileName(run)) || new Map()).set(run.contestant, run));
  const heads = ["file", "expected", ...contestants];
  let column = 0, isUp = true;
  const body = el("tbody"), count = el("span", { class: "faint", "aria-live": "polite" });
  const field = /** @type {HTMLInputElement} */ (el("input", { type: "search", size: "34", placeholder: "filter: words of names and outcomes", "aria-label": "filter" }));
  /** @param {[string, Map<string, Run>]} row @returns {(string | number)[]} */
  function values([name, mine]) {
    const first = /** @type {Run} */ ([...mine.values()][0]);
    return [name, first.expected, ...contestants.map((one) => { const run = mine.get(one); return run ? (isSolved(run) ? run.cpu_s : `~${run.outcome}`) : "~~"; })];
  }
  const order = (/** @type {string | number} */ a, /** @type {string | number} */ b) => (typeof a === "number" && typeof b === "number" ? a - b : typeof a === typeof b ? String(a).localeCompare(String(b)) : typeof a === "number" ? -1 : 1);
  function draw() {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = [...rows].filter(([name, mine]) => { const text = [name, ...[...mine.values()].flatMap((run) => [run.outcome, run.verdict, run.expected, run.subset])].join(" ").toLowerCase(); return wanted.every((word) => text.includes(word)); });
    shown.sort((a, b) => (isUp ? 1 : -1) * order(values(a)[column], values(b)[column]) || a[0].localeCompare(b[0]));
    body.replaceChildren(...shown.slice(0, LIMIT).map(([name, mine]) => {
      const first = /** @type {Run} */ ([...mine.values()][0]);
      return el("tr", {}, el("td", {}, name), el("td", {}, first.expected), ...contestants.map((one) => { const run = mine.get(one); return el("td", { class: run && !isSolved(run) ? `number ${run.outcome}` : "number", title: run ? `${run.verdict}${run.reason ? `, ${run.reason}` : ""}; ${run.wall_s} s of the clock, ${run.memory_mb} MB` : "" }, run ? cell(run) : "–"); }));
    }));
    count.textContent = `${shown.length} of ${rows.size} files${shown.length > LIMIT ? `, of which ${LIMIT} are shown` : ""}`;
  }
  const head = el("tr", {}, ...heads.map((name, k) => el("th", { scope: "col" }, button(name, () => { isUp = column === k ? !isUp : true; column = k; draw(); }, `sort by ${name}`))));
  field.addEventListener("input", draw);
  draw();
  const view = el("div", {}, el("div", { class: "tools" }, field, count), el("div", { class: "frames" }, el("table", { id: "files" }, el("thead", {}, head), body)));
  return { view, choose: (file) => { field.value = file; draw(); view.scrollIntoView(); } };
}

const all = files();
/** @type {HTMLElement} */ (document.getElementById("page")).replaceChildren(el("h1", {}, document.title), el("p", {}, `at most ${page.limit_s} s of processors per run`), summary(), el("h2", {}, "pictures"), el("div", { class: "planes" }, cactus(all.choose), ...(contestants.length > 1 ? [scatter(all.choose)] : [])), el("h2", {}, "files"), all.view);
