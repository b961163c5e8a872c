// The control-flow graph: boxes are locations, arrows have statements; the path of a run stands out, claims are shown on demand.

/** @typedef {{x: number, y: number, w: number, h: number, kind: string, name: string, text: string, line: number | null}} Box */
/** @typedef {{path: string, x: number, y: number, texts: string[], edges: number[], statement: string[], ends: [number, number]}} Arc */
/** @typedef {{places: number, edges: number, folded: boolean, cut?: boolean, boxes?: Box[], arcs?: Arc[], width: number, height: number}} Drawing */

const LEGIBLE = 0.6; // the smallest scale that is chosen without being asked

/** The edges of a run, those of rounds of loops included. @param {any} trace @returns {Set<number>} */
function pathEdges(trace) {
  /** @type {Set<number>} */
  const found = new Set();
  /** @param {any} stretch */
  function rounds(stretch) {
    for (const step of stretch.steps) typeof step === "number" ? found.add(step) : rounds(step);
  }
  for (const fact of (trace && trace.facts) || []) {
    found.add(fact.edge);
    if (fact.stretch) rounds(fact.stretch);
  }
  return found;
}

/**
 * The drawing with the path of a trace, and what an invariant says of each location.
 * @param {Drawing} graph @param {any} trace @param {any} invariant @param {Check[]} checks @returns {HTMLElement}
 */
function drawing(graph, trace, invariant, checks = []) {
  const boxes = graph.boxes || [], arcs = graph.arcs || [];
  const taken = pathEdges(trace), claims = (invariant && invariant.locations) || {}, places = new Set((trace && trace.facts || []).map((/** @type {any} */ f) => f.location));
  const picture = svg("svg", { viewBox: `0 0 ${graph.width} ${graph.height}`, role: "group", "aria-label": "control-flow graph" });
  const arrow = (/** @type {string} */ id, /** @type {string} */ name) => svg("marker", { id, class: name, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z" }));
  const ids = `${Math.random()}`.slice(2);
  picture.append(svg("defs", {}, arrow(`arrow${ids}`, "arrow"), arrow(`taken${ids}`, "arrow taken")));
  const said = el("div", { "aria-live": "polite" }, el("p", { class: "faint" }, invariant ? `Choose a location to see what holds there, or an arrow to see its statement${checks.length ? "; and what was asked to know it" : ""}.` : "Choose a location or an arrow to see it."));
  /** @type {Map<number, SVGElement[]>} what leaves a box, which comes after it when one goes from key to key */
  const leaving = new Map();
  for (const arc of arcs) {
    const isTaken = arc.edges.length > 0 && arc.edges.every((edge) => taken.has(edge));
    const owed = checks.filter((check) => check.edge !== null && arc.edges.includes(check.edge));
    const node = arrowed(arc, boxes, isTaken, `url(#${isTaken ? "taken" : "arrow"}${ids})`, checks.length ? owed : null, said);
    leaving.set(arc.ends[0], [...(leaving.get(arc.ends[0]) || []), node]);
  }
  for (const [k, box] of boxes.entries()) picture.append(boxed(box, places.has(box.name), claims[box.name], checks.filter((check) => check.target === box.name), said), ...(leaving.get(k) || []));
  let zoom = 1;
  const frame = el("div", { class: "graph", tabindex: "0", role: "group", "aria-label": "control-flow graph: plus and minus zoom" }, picture);
  /** @param {number} factor */
  function rescale(factor) {
    zoom = Math.max(0.1, Math.min(3, zoom * factor));
    picture.setAttribute("width", String(Math.round(graph.width * zoom)));
    picture.setAttribute("height", String(Math.round(graph.height * zoom)));
  }
  rescale(1);
  keys(frame, { "+": () => rescale(1.25), "-": () => rescale(0.8), "0": () => rescale(1 / zoom) });
  const first = boxes.find((box) => box.kind === "start") || boxes[0];
  const fit = () => rescale(Math.min(1, (frame.clientWidth - 8) / graph.width) / zoom);
  requestAnimationFrame(() => {
    if (frame.clientWidth && (frame.clientWidth - 8) / graph.width >= LEGIBLE) fit(); // what is a little too wide is not cut
    if (first) frame.scrollLeft = first.x * zoom - frame.clientWidth / 2;
  });
  const tools = el("div", { class: "tools" }, button("−", () => rescale(0.8), "zoom out"), button("+", () => rescale(1.25), "zoom in"), button("fit", fit, "fit the width"), el("span", { class: "faint" }, `${graph.places} locations, ${graph.edges} edges${graph.folded ? "; straight pieces are folded" : ""}${graph.cut ? "; this is a part: lemmata info FILE --graph out.dot writes all of it for Graphviz" : ""}`));
  return el("div", {}, tools, frame, said);
}

/** What is said when a box or an arrow is chosen. @param {SVGElement} node @param {() => Node[]} words @param {HTMLElement} said */
function chosen(node, words, said) {
  const show = () => said.replaceChildren(...words());
  node.addEventListener("click", show);
  node.addEventListener("focus", show);
  return node;
}

/** What a box is called where arrows speak of it. @param {Box} box */
function boxName(box) {
  return box.kind === "start" ? "start" : box.kind === "join" ? "◇" : box.text;
}

/**
 * An arrow; chosen, it says its statement and the obligations of its edges; these are null where nothing was proved.
 * @param {Arc} arc @param {Box[]} boxes @param {boolean} isTaken @param {string} tip @param {Check[] | null} checks @param {HTMLElement} said @returns {SVGElement}
 */
function arrowed(arc, boxes, isTaken, tip, checks, said) {
  const [from, to] = arc.ends.map((end) => boxName(boxes[end])), whole = arc.statement.length ? arc.statement : arc.texts;
  const where = `${from} → ${to}`;
  const node = svg("g", { class: "edge", tabindex: 0, role: "button", "aria-label": [where, ...arc.texts].join(", ") },
    svg("path", { d: arc.path, class: "reach" }),
    svg("path", { d: arc.path, class: isTaken ? "arc taken" : "arc", "marker-end": tip }),
    svg("text", { class: isTaken ? "label taken" : "label" }, ...arc.texts.map((part, k) => svg("tspan", { x: arc.x, y: arc.y + 11 + 15 * k }, part))));
  const owed = () => (checks === null ? [] : [checks.length ? checkTable(checks) : el("p", { class: "faint" }, "No obligation is told of it.")]);
  return chosen(node, () => [el("p", {}, el("b", {}, where)), ...(whole.length ? [el("pre", { class: "lemmas" }, whole.join("\n"))] : []), ...owed()], said);
}

/** @param {Box} box @param {boolean} isTaken @param {string[] | undefined} lemmas @param {Check[]} checks @param {HTMLElement} said @returns {SVGElement} */
function boxed(box, isTaken, lemmas, checks, said) {
  const left = box.x - box.w / 2, top = box.y - box.h / 2;
  if (box.kind === "start") return svg("circle", { class: "start", cx: box.x, cy: box.y, r: 5 });
  if (box.kind === "join") return svg("path", { class: "join", d: `M${box.x} ${top}L${left + box.w} ${box.y}L${box.x} ${top + box.h}L${left} ${box.y}z` });
  const isNever = Boolean(lemmas && lemmas.includes("false"));
  const kind = `box ${box.kind}${isTaken ? " taken" : ""}${isNever ? " never" : ""}`;
  const where = `${box.text}${box.line ? `, line ${box.line}` : ""}`;
  const holds = box.kind === "error" ? "" : lemmas === undefined ? "" : isNever ? "never reached" : lemmas.length ? lemmas.join("\n") : "true";
  const node = svg("g", { class: kind, tabindex: 0, role: "button", "aria-label": where },
    svg("title", {}, holds ? `${where}: ${holds}` : where),
    svg("rect", { x: left, y: top, width: box.w, height: box.h, rx: box.kind === "error" ? 12 : 3 }),
    svg("text", { x: box.x, y: box.y + 4 }, box.text));
  return chosen(node, () => [el("p", {}, el("b", {}, where)), ...(holds ? [el("pre", { class: "lemmas" }, holds)] : []), ...(checks.length ? [checkTable(checks)] : [])], said);
}

/** The graph of a property, drawn when it is unfolded. @param {any} prop @returns {HTMLElement[]} */
function graphOf(prop) {
  /** @type {Drawing | null} */
  const graph = page.graph;
  if (!graph) return [];
  const details = /** @type {HTMLDetailsElement} */ (el("details", { class: "cfg" }, el("summary", {}, "control-flow graph")));
  if (!graph.boxes) {
    details.append(el("p", {}, `It has ${graph.places} locations and ${graph.edges} edges: too many for a picture here. lemmata info FILE --graph out.dot writes it for Graphviz.`));
    return [details];
  }
  const fill = () => { if (details.open && details.childElementCount === 1) details.append(drawing(graph, prop.trace, prop.invariant, prop.checks ? prop.checks.each : [])); };
  details.addEventListener("toggle", fill);
  if (graph.boxes.length <= 24) details.open = true;
  return [details];
}
