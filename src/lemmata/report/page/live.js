// The page of a run that goes on: what the engines say, as it comes; then the page of the result.

/** @typedef {{time: number, bound: number, frames: number, lemmas: number, obligations: number, queries: number}} Sign */

const COUNTS = /** @type {(keyof Sign)[]} */ (["bound", "frames", "lemmas", "obligations", "queries"]);
const COLOURS = ["--wave", "--unsafe", "--safe", "--unknown"];
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];

/** Ask the supervisor to stop something. @param {Record<string, string>} order */
function stopIt(order) {
  fetch("stop", { method: "POST", body: JSON.stringify(order) });
}

/**
 * Lines over time, each with its own look.
 * @param {string} title @param {[string, [number, number][]][]} series @param {number} end
 */
function chart(title, series, end) {
  const width = 320, height = 110, most = Math.max(1, ...series.flatMap(([, points]) => points.map(([, y]) => y)));
  const place = (/** @type {[number, number]} */ [x, y]) => `${((x / Math.max(end, 0.1)) * width).toFixed(1)} ${(height - (y / most) * (height - 6)).toFixed(1)}`;
  const lines = series.map(([, points], k) => svg("path", { d: points.length ? `M${points.map(place).join("L")}` : "", class: "series", stroke: `var(${COLOURS[k % 4]})`, "stroke-dasharray": DASHES[k % 4] }));
  const names = series.map(([name, points], k) => el("span", { class: "legend" }, svg("svg", { width: 22, height: 8 }, svg("path", { d: "M0 4H22", class: "series", stroke: `var(${COLOURS[k % 4]})`, "stroke-dasharray": DASHES[k % 4] })), ` ${name} ${points.length ? points[points.length - 1][1] : "–"}`));
  return el("figure", { class: "chart" }, el("figcaption", {}, `${title} (up to ${most})`), svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title }, svg("path", { d: `M0 ${height}H${width}`, class: "axis" }), ...lines), el("div", {}, ...names));
}

function live() {
  const root = /** @type {HTMLElement} */ (document.getElementById("page"));
  const charts = el("div", { class: "planes" }), engines = el("div"), props = el("div"), clock = el("td"), memory = el("td");
  root.replaceChildren(el("h1", {}, page.file), el("table", {}, el("tr", {}, el("th", {}, "running"), clock), el("tr", {}, el("th", {}, "memory"), memory), el("tr", {}, el("th", {}, "call"), el("td", {}, el("code", {}, page.command)))),
    el("h2", {}, "engines"), engines, el("h2", {}, "properties"), props, el("h2", {}, "over time"), charts);
  /** @type {Map<string, Sign[]>} */
  const signs = new Map();
  /** @type {Map<string, number>} */
  const shares = new Map();
  /** @type {Map<string, string>} */
  const states = new Map();
  /** @type {[number, number][]} */
  const sizes = [];
  /** @type {Set<string>} */
  const stopped = new Set();
  let now = 0, heardAt = 0, isDirty = true;

  /** @param {any} event */
  function hear(event) {
    now = Math.max(now, event.time_s || 0);
    isDirty = true;
    if (event.event === "tick") { sizes.push([event.time_s, event.memory_mb]); return; }
    if (event.property && !states.has(event.property)) states.set(event.property, "open");
    if (event.event === "certified" && event.property) states.set(event.property, event.verdict);
    if (event.event === "worker_lost") states.set(`${event.engine} (${event.cause})`, "lost");
    if (event.event !== "progress" && event.event !== "bound_reached") return;
    const known = signs.get(event.engine) || [];
    const last = known[known.length - 1] || { bound: -1, frames: 0, lemmas: 0, obligations: 0, queries: 0, time: 0 };
    // parts of an engine may count apart: what only grows does not go back
    const grown = (/** @type {"frames" | "lemmas" | "queries"} */ count) => Math.max(last[count], event[count] ?? 0);
    known.push({ time: event.time_s, bound: Math.max(last.bound, event.bound), frames: grown("frames"), lemmas: grown("lemmas"), obligations: event.obligations ?? last.obligations, queries: grown("queries") });
    if (known.length > 2000) signs.set(event.engine, known.filter((_, k) => k % 2)); else signs.set(event.engine, known);
    // an engine's share: the time since the last sign of life, of whomever, when it gives one
    shares.set(event.engine, (shares.get(event.engine) || 0) + Math.max(0, event.time_s - heardAt));
    heardAt = Math.max(heardAt, event.time_s);
  }
  function draw() {
    if (!isDirty) return;
    isDirty = false;
    clock.textContent = `${now.toFixed(1)} s`;
    memory.textContent = sizes.length ? `${sizes[sizes.length - 1][1]} MB` : "–";
    const whole = [...shares.values()].reduce((a, b) => a + b, 0) || 1;
    const rows = [...signs].map(([engine, all]) => {
      const last = all[all.length - 1];
      return el("tr", {}, el("td", {}, engine), ...COUNTS.map((count) => el("td", { class: "number" }, last[count] < 0 ? "–" : String(last[count]))), el("td", { class: "number" }, `${Math.round((100 * (shares.get(engine) || 0)) / whole)} %`),
        el("td", {}, stopped.has(engine) ? "stopping" : button("stop", () => { stopped.add(engine); isDirty = true; stopIt({ engine }); }, `stop ${engine}`)));
    });
    engines.replaceChildren(rows.length ? el("div", { class: "frames" }, el("table", {}, el("tr", {}, ...["engine", ...COUNTS, "share", ""].map((name) => el("th", { scope: "col" }, name))), ...rows)) : el("p", { class: "faint" }, "reading"));
    props.replaceChildren(el("table", {}, ...[...states].slice(0, LIMIT).map(([name, state]) => el("tr", {}, el("td", {}, name), el("td", {}, el("span", { class: state }, state)), el("td", {}, state === "open" ? (stopped.has(`p ${name}`) ? "stopping" : button("stop", () => { stopped.add(`p ${name}`); isDirty = true; stopIt({ property: name }); }, `give up ${name}`)) : "")))));
    const lines = (/** @type {keyof Sign} */ count) => /** @type {[string, [number, number][]][]} */ ([...signs].map(([engine, all]) => [engine, all.map((sign) => [sign.time, Math.max(0, sign[count])])]));
    const told = COUNTS.filter((count) => [...signs.values()].some((all) => all.some((sign) => sign[count] > 0)));
    charts.replaceChildren(...told.map((count) => chart(count, lines(count), now)), chart("memory, MB", [["all", sizes]], now));
  }
  const source = new EventSource("events");
  const timer = setInterval(draw, 400);
  source.addEventListener("message", (message) => {
    const event = JSON.parse(message.data);
    if (event.event !== "result") { hear(event); return; }
    source.close();
    clearInterval(timer);
    Object.assign(page, event.page);
    document.title = `${plain(page.result.file)}: ${page.result.verdict}`;
    inSlices(result(), () => {});
  });
  source.addEventListener("error", () => { source.close(); clearInterval(timer); draw(); clock.append(" (the run has ended, and nothing more is heard of it)"); });
  draw();
}

begin(function* () { live(); });
