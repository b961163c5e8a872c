// The player: a recorded run as a film. Frames are columns, obligations a tree; each step has its words and its query.

/** @typedef {[number, number | null, number, number, string]} ShownObligation number, parent, text, level, state */
/** @typedef {{lines: [string, string][], frames: number[][][], nodes: ShownObligation[], now: number | null, marks: string[], drawing: number | null, path: number[], left: number | null}} Shot */
/** @typedef {{names: string[], held: string[], window: Bounds, bad: number | null, shots: ({frames: (number | null)[], owed: number | null, level: number} | null)[], regions: string[]}} Plane */

read();
const film = page.film;
const JUMPS = /** @type {[string, string][]} */ ([["cti", film.drawings.length ? "first trace" : "first counterexample to induction"], ["blocked", film.drawings.length ? "first refutation" : "first lemma"], ["push", "first push"], ["counterexample", "counterexample"], ["fixpoint", "fix-point"], ["verdict", "verdict"]]);
const PAUSE_MS = 1400;
const LONG_LINE = 1000; // characters of a line that is shown at once

/** F with its level as an index. @param {number} level */
function frameName(level) {
  return "F" + String(level).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);
}

/**
 * The frames of a shot; what is new since the last one is marked, what is gone is crossed out.
 * @param {Shot} shot @param {Shot | null} before @returns {HTMLElement}
 */
function frameTable(shot, before) {
  const first = film.firstLevel || 0;
  const head = el("tr", {}, ...(film.places.length > 1 ? [el("th", { scope: "col" }, "location")] : []), ...shot.frames.map((_, level) => el("th", { scope: "col" }, frameName(level + first))));
  const rows = film.places.map((/** @type {string} */ place, /** @type {number} */ row) => {
    const cells = shot.frames.map((frame, level) => {
      const here = frame[row] || [], old = before && before.frames[level] ? before.frames[level][row] || [] : [];
      const below = before && level && before.frames[level - 1] ? before.frames[level - 1][row] || [] : [];
      const items = here.map((lemma) => {
        const isNew = !old.includes(lemma), isPushed = isNew && below.includes(lemma);
        return el("li", isNew ? { class: isPushed ? "new pushed" : "new" } : {}, film.texts[lemma]);
      });
      const gone = old.filter((lemma) => !here.includes(lemma)).map((lemma) => el("li", { class: "gone" }, film.texts[lemma]));
      return el("td", {}, el("ul", { class: "plain" }, ...items, ...gone));
    });
    return el("tr", {}, ...(film.places.length > 1 ? [el("th", { scope: "row" }, place)] : []), ...cells);
  });
  return el("div", { class: "frames", tabindex: "0" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}

/** The obligations of a shot as a tree; the newest roots first. @param {Shot} shot @returns {HTMLElement} */
function obligations(shot) {
  /** @type {Map<number | null, ShownObligation[]>} */
  const children = new Map();
  for (const node of shot.nodes) children.set(node[1], [...(children.get(node[1]) || []), node]);
  const signs = /** @type {Record<string, string>} */ ({ open: "…", blocked: "✓ blocked", reached: "✗ reached", met: "" });
  /** @param {ShownObligation} node @returns {HTMLElement} */
  function item(node) {
    const [number, , text, level, state] = node;
    const line = el("span", { class: `owed ${state}${number === shot.now ? " now" : ""}` }, `level ${level}: ${film.texts[text]} ${signs[state]}`);
    const under = children.get(number) || [];
    return el("li", {}, line, ...(under.length ? [el("ul", {}, ...under.map(item))] : []));
  }
  const roots = (children.get(null) || []).slice().reverse();
  const more = roots.length > 12 ? [el("li", { class: "faint" }, `… ${roots.length - 12} before these`)] : [];
  return roots.length ? el("ul", { class: "owes" }, ...roots.slice(0, 12).map(item), ...more) : el("p", { class: "faint" }, "none");
}

/** The words of a step: rows of a table stay below each other, long lines are unfolded on demand. @param {[string, string][]} lines @returns {HTMLElement[]} */
function spoken(lines) {
  /** @type {HTMLElement[]} */
  const found = [];
  /** @type {string[]} */
  let rows = [];
  const flush = () => { if (rows.length) found.push(el("pre", { class: "said grid", tabindex: "0" }, rows.join("\n"))); rows = []; };
  for (const [style, text] of lines) {
    if (text.includes(" │ ")) { rows.push(text); continue; }
    flush();
    if (text.length <= LONG_LINE) found.push(el("div", { class: `said ${style}` }, text));
    else found.push(el("details", { class: `said ${style}` }, el("summary", {}, `${text.slice(0, LONG_LINE / 4)}… (${text.length} characters)`), text));
  }
  flush();
  return found;
}

/** The plane: what each frame excludes, the obligation, the bad states. @param {Plane} plane @param {number} step @returns {HTMLElement} */
function planes(plane, step) {
  const scene = plane.shots[step];
  if (!scene) return el("div");
  const { area, hatched, picture, caption } = grid(plane.window, plane.names, 220);
  const pictures = scene.frames.map((region, level) => {
    const id = `hatch${level}`, parts = [hatched(id)];
    if (region !== null) parts.push(area(plane.regions[region], "excluded"));
    if (plane.bad !== null) { const bad = area(plane.regions[plane.bad], "bad"); bad.setAttribute("fill", `url(#${id})`); parts.push(bad); }
    if (level === scene.level && scene.owed !== null) parts.push(area(plane.regions[scene.owed], "owedarea"));
    return el("figure", {}, el("figcaption", {}, `${frameName(level)} (${caption})`), picture(`frame ${level}`, ...parts));
  });
  const held = plane.held.length ? `; where ${plane.held.slice(0, 6).join(", ")} ${plane.held.length === 1 ? "is" : "are"} 0` : "";
  const key = el("p", { class: "faint" }, legend("excluded", "excluded by the frame"), legend("owedarea", "obligation"), legend("bad", `bad states${held}`));
  return el("div", {}, el("div", { class: "planes" }, ...pictures), key);
}

/** The whole player. @returns {HTMLElement} */
function player() {
  /** @type {Shot[]} */
  const shots = film.shots;
  let now = 0, timer = 0;
  const words = el("div", { class: "words", "aria-live": "polite" }), board = el("div"), owes = el("div"), pictures = el("div"), automaton = el("div"), status = el("span", { class: "faint" });
  const slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: "0", max: String(shots.length - 1), value: "0", "aria-label": "step" }));
  const play = button("play", () => toggle(), "play or pause");
  /** @param {number} step */
  function go(step) {
    now = Math.max(0, Math.min(shots.length - 1, step));
    slider.value = String(now);
    const shot = shots[now];
    status.textContent = `shot ${now + 1} of ${shots.length}`;
    const title = shots.slice(0, now).reverse().flatMap((one) => one.lines.filter(([style]) => style === "title").reverse())[0];
    const isTitled = shot.lines.some(([style]) => style === "title");
    words.replaceChildren(...(title && !isTitled ? [el("div", { class: "context faint" }, title[1])] : []), ...spoken(shot.lines.filter(([, text]) => text.trim())));
    board.replaceChildren(shot.frames.length ? frameTable(shot, now ? shots[now - 1] : null) : el("p", { class: "faint" }, "none yet"));
    owes.replaceChildren(obligations(shot));
    if (film.drawings.length) automaton.replaceChildren(shot.drawing === null ? el("p", { class: "faint" }, shot.left === 0 ? "nothing: no way to the error is left" : shot.left ? `${shot.left} states: too many for a picture` : "") : drawing(film.drawings[shot.drawing], { facts: shot.path.map((edge) => ({ edge })) }, null));
    if (film.plane) pictures.replaceChildren(planes(film.plane, now));
    if (now === shots.length - 1) stop();
    location.replace(`#${now + 1}`);
  }
  function stop() { clearInterval(timer); timer = 0; play.textContent = "play"; }
  function toggle() {
    if (timer) return stop();
    if (now === shots.length - 1) go(0);
    play.textContent = "pause";
    timer = setInterval(() => go(now + 1), PAUSE_MS);
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  const jumps = JUMPS.map(([mark, label]) => [shots.findIndex((shot) => shot.marks.includes(mark)), label]).filter(([at]) => Number(at) >= 0);
  const tools = el("div", { class: "tools" }, button("|◀", () => go(0), "first step"), button("◀", () => go(now - 1), "step back"), play, button("▶", () => go(now + 1), "next step"), button("▶|", () => go(shots.length - 1), "last step"), slider, status);
  const links = el("div", { class: "tools" }, ...jumps.map(([at, label]) => button(String(label), () => go(Number(at)), `jump to: ${label}`)));
  const view = el("div", { class: "player", tabindex: "0" }, tools, links,
    ...(film.drawings.length
      ? [el("section", { class: "stage" }, el("div", {}, el("h2", {}, "trace"), words), el("div", {}, el("h2", {}, "what is left"), automaton))]
      : [el("section", { class: "stage" }, el("div", {}, el("h2", {}, "step"), words), el("div", {}, el("h2", {}, "obligations"), owes)),
        ...(film.plane ? [el("h2", {}, "plane"), pictures] : []), el("h2", {}, "frames"), board]));
  keys(view, { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0), End: () => go(shots.length - 1), " ": toggle });
  const asked = Number(location.hash.slice(1));
  go(asked >= 1 ? asked - 1 : 0);
  return view;
}

/** All words of the film, for who wants to read on, or on paper. @returns {HTMLElement} */
function transcript() {
  const all = /** @type {HTMLDetailsElement} */ (el("details", { class: "transcript" }, el("summary", {}, "the whole run in words")));
  const fill = () => { if (all.open && all.childElementCount === 1) all.append(...spoken(film.shots.flatMap((/** @type {Shot} */ shot) => shot.lines).filter((/** @type {[string, string]} */ line) => line[1].trim()))); };
  all.addEventListener("toggle", fill);
  window.addEventListener("beforeprint", () => { all.open = true; fill(); });
  return all;
}

const view = player();
const head = facts([["verdict", el("span", { class: film.verdict }, film.verdict)], ...(page.command ? /** @type {[string, Node][]} */ ([["again", el("code", {}, page.command)]]) : [])]);
/** @type {HTMLElement} */ (document.getElementById("page")).replaceChildren(el("h1", {}, film.title), head, view, transcript());
view.focus({ preventScroll: true });
