// The run of a circuit, a system of words or numbers as a waveform.

/** @typedef {{name: string, input: boolean, steps: number, isBit: boolean, at: (step: number) => string, needed: ((step: number) => boolean) | null}} Row */

/**
 * Bits called x[0] to x[n] as one word, as the text report joins them.
 * @param {string[]} names @returns {Map<string, number[]>}
 */
function vectors(names) {
  /** @type {Map<string, Map<number, number>>} */
  const groups = new Map();
  names.forEach((name, position) => {
    const found = /^([^]*\D)\[(\d{1,5})\]$/.exec(name);
    if (!found) return;
    if (!groups.has(found[1])) groups.set(found[1], new Map());
    groups.get(found[1])?.set(Number(found[2]), position);
  });
  const taken = new Set(names);
  const words = new Map();
  for (const [name, bits] of groups) {
    const numbers = [...bits.keys()].sort((a, b) => a - b);
    const isWhole = numbers.length > 1 && numbers[numbers.length - 1] - numbers[0] === numbers.length - 1;
    if (isWhole && !taken.has(name)) words.set(name, numbers.map((k) => bits.get(k)));
  }
  return words;
}

/** @param {string[]} names @param {string[]} lines @param {string[]} lifted @param {boolean} input @returns {Row[]} */
function bitRows(names, lines, lifted, input) {
  if (!lines.length) return [];
  const words = vectors(names);
  const parts = new Set([...words.values()].flat());
  const firsts = new Map([...words].map(([name, bits]) => [Math.min(...bits), [name, bits]]));
  /** @type {Row[]} */
  const rows = [];
  names.forEach((name, position) => {
    const word = firsts.get(position);
    if (word) {
      const bits = /** @type {number[]} */ (word[1]).slice().reverse();
      const at = (/** @type {number} */ step) => BigInt("0b" + bits.map((b) => lines[step][b]).join("")).toString();
      const needed = lifted.length ? (/** @type {number} */ step) => bits.some((b) => lifted[step][b] !== "x") : null;
      rows.push({ name: String(word[0]), input, steps: lines.length, isBit: false, at, needed });
    } else if (!parts.has(position)) {
      const needed = lifted.length ? (/** @type {number} */ step) => lifted[step][position] !== "x" : null;
      rows.push({ name, input, steps: lines.length, isBit: true, at: (step) => lines[step][position], needed });
    }
  });
  return rows;
}

/** @typedef {{name: string, low: number, width: number}} Part */

/**
 * Parts x[7:1] and x[0] as one word, as the text report joins them: all bits from 0 on, and no value is wider than its part.
 * @param {Record<string, string>[]} lines @returns {Map<string, Part[]>}
 */
function slices(lines) {
  /** @type {Map<string, Part[]>} */
  const groups = new Map();
  const names = Object.keys(lines[0] || {});
  for (const name of names) {
    const found = /^([^]*\D)\[(\d{1,5})(?::(\d{1,5}))?\]$/.exec(name);
    if (!found) continue;
    const low = Number(found[3] ?? found[2]), width = Number(found[2]) - low + 1;
    if (width > 0 && lines.every((line) => /^(0x[0-9a-f]+|\d+)$/.test(line[name]) && BigInt(line[name]) >> BigInt(width) === 0n)) groups.set(found[1], [...(groups.get(found[1]) || []), { name, low, width }]);
  }
  for (const [word, parts] of groups) {
    parts.sort((a, b) => a.low - b.low);
    const isWhole = parts.every((part, k) => part.low === (k ? parts[k - 1].low + parts[k - 1].width : 0));
    if (parts.length < 2 || !isWhole || names.includes(word)) groups.delete(word);
  }
  return groups;
}

/** @param {Record<string, string>[]} lines @param {Record<string, string>[]} lifted @param {boolean} input @returns {Row[]} */
function wordRows(lines, lifted, input) {
  const words = slices(lines), whole = new Map();
  for (const [word, parts] of words) for (const part of parts) whole.set(part.name, word);
  /** @type {Row[]} */
  const rows = [];
  for (const name of Object.keys(lines[0] || {})) {
    const word = whole.get(name), parts = words.get(word);
    if (parts) {
      words.delete(word); // its row is where its first part is
      const at = (/** @type {number} */ step) => { const sum = parts.reduce((all, part) => all + (BigInt(lines[step][part.name]) << BigInt(part.low)), 0n); return sum < 65536n ? sum.toString() : `0x${sum.toString(16)}`; };
      rows.push({ name: word, input, steps: lines.length, isBit: false, at, needed: lifted.length ? (step) => parts.some((part) => part.name in lifted[step]) : null });
    } else if (word === undefined) {
      const isBit = lines.every((line) => line[name] === "0" || line[name] === "1");
      rows.push({ name, input, steps: lines.length, isBit, at: (step) => lines[step][name], needed: lifted.length ? (step) => name in lifted[step] : null });
    }
  }
  return rows;
}

/** The rows of a trace of bits or words. @param {any} trace @returns {Row[]} */
function traceRows(trace) {
  if (typeof trace.initial === "string") {
    const inputs = trace.input_names.length ? trace.input_names : [...trace.inputs[0]].map((_, k) => `i${k}`);
    return [...bitRows(trace.latch_names, trace.states, [], false), ...bitRows(inputs, trace.inputs, trace.relevant_inputs, true)];
  }
  return [...wordRows(trace.states, [], false), ...wordRows(trace.inputs, trace.relevant_inputs, true)];
}

/** The rows of a run at one place, or null. @param {any} trace @returns {Row[] | null} */
function factRows(trace) {
  const run = trace.facts.slice(0, -1);
  const places = new Set(run.map((/** @type {any} */ fact) => fact.location));
  if (!isRun(trace.facts) || places.size !== 1 || run.some((/** @type {any} */ f) => f.stretch)) return null;
  const names = (trace.variables || {})[run[0].location] || run[0].values.map((/** @type {any} */ _, /** @type {number} */ k) => `x${k}`);
  const isTruth = (/** @type {number} */ k) => run.every((/** @type {any} */ fact) => fact.values[k] === "true" || fact.values[k] === "false");
  return names.map((/** @type {string} */ name, /** @type {number} */ k) => ({
    name, input: false, steps: run.length, isBit: isTruth(k), at: (/** @type {number} */ step) => run[step].values[k], needed: null,
  }));
}

/** @param {any[]} all */
function isRun(all) {
  return all.every((fact, k) => (k ? fact.premises.length === 1 && fact.premises[0] === k - 1 : !fact.premises.length));
}

/** A value in another radix; what is no number stays. @param {string} text @param {string} radix */
function inRadix(text, radix) {
  if (radix === "as is" || !/^(0x[0-9a-f]+|\d+)$/.test(text)) return text;
  const number = BigInt(text);
  return radix === "hex" ? `0x${number.toString(16)}` : radix === "bin" ? `0b${number.toString(2)}` : number.toString();
}

/** Did a tool make up this name, as the text report asks (models/timeline.py)? @param {string} name */
function isMadeUp(name) {
  return /(?:^|[.\\/])\$\w+[$\\]/.test(name);
}

/** A waveform: what is visible is drawn, whatever the length. @param {Row[]} rows @returns {HTMLElement} */
function waveform(rows) {
  rows = rows.map((row) => ({ ...row, name: plain(row.name) }));
  const steps = rows.length ? rows[0].steps : 0;
  const height = 24, head = 24;
  let zoom = 34; // pixels of a step; a short run has wider ones
  let cursor = 0, radix = "as is", all = false, wanted = "";
  const names = Math.min(260, 24 + 8 * Math.max(6, ...rows.map((row) => Math.min(row.name.length, 28))) + 60);
  if (steps) zoom = Math.max(zoom, Math.min(72, (Math.min(window.innerWidth, 1200) - names - 60) / steps));
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", {}));
  const space = el("div", {}, canvas);
  const box = el("div", { class: "wave", tabindex: "0", role: "img", "aria-label": "waveform: arrows move the cursor, plus and minus zoom" }, space);
  const status = el("span", { class: "faint", "aria-live": "polite" }), leftOut = el("span", { class: "faint" });
  /** @type {Row[]} */
  let shown = [];

  function choose() {
    const isQuiet = (/** @type {Row} */ row) => (row.needed ? !some(row.needed) : !row.input && steps > 1 && !some((step) => row.at(step) !== row.at(0)));
    const loud = all ? rows : rows.filter((row) => !isQuiet(row));
    const named = loud.filter((row) => !isMadeUp(row.name));
    const kept = all || !named.length ? loud : named, left = loud.length - kept.length;
    shown = kept.filter((row) => row.name.toLowerCase().includes(wanted));
    leftOut.textContent = left ? `${left} named by a tool left out` : "";
    layout();
  }
  /** @param {(step: number) => boolean} holds */
  function some(holds) {
    for (let step = 0; step < steps; step++) if (holds(step)) return true;
    return false;
  }
  function layout() {
    space.style.width = `${names + steps * zoom + 8}px`;
    space.style.height = `${head + shown.length * height + 8}px`;
    box.style.height = `min(70vh, ${head + shown.length * height + 28}px)`;
    draw();
  }
  function draw() {
    const width = box.clientWidth, tall = box.clientHeight, scale = window.devicePixelRatio || 1;
    canvas.width = width * scale; canvas.height = tall * scale;
    canvas.style.width = `${width}px`; canvas.style.height = `${tall}px`;
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const colour = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const tone = { text: colour("--text"), faint: colour("--faint"), wave: colour("--wave"), off: colour("--off"), line: colour("--line"), ground: colour("--ground"), cursor: colour("--cursor"), shade: colour("--shade") };
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = tone.ground; pen.fillRect(0, 0, width, tall);
    pen.font = "12px ui-monospace, monospace"; pen.textBaseline = "middle";
    const left = box.scrollLeft, top = box.scrollTop;
    const first = Math.max(0, Math.floor(left / zoom)), last = Math.min(steps, Math.ceil((left + width - names) / zoom) + 1);
    const from = Math.max(0, Math.floor(top / height)), to = Math.min(shown.length, Math.ceil((top + tall) / height) + 1);
    const x = (/** @type {number} */ step) => names + step * zoom - left;
    for (let k = from; k < to; k++) signal(pen, shown[k], head + k * height - top, first, last, x, tone);
    pen.fillStyle = tone.ground; pen.fillRect(0, 0, names, tall);
    for (let k = from; k < to; k++) {
      const y = head + k * height - top + height / 2, row = shown[k];
      pen.fillStyle = row.input ? tone.faint : tone.text;
      pen.fillText(row.name.length > 28 ? `${row.name.slice(0, 27)}…` : row.name, 6, y, names - 70);
      pen.fillStyle = tone.wave;
      pen.fillText(inRadix(steps ? row.at(cursor) : "", radix), names - 62, y, 58);
    }
    pen.fillStyle = tone.shade; pen.fillRect(0, 0, width, head);
    pen.fillStyle = tone.faint; pen.fillText(`${shown.length} of ${rows.length}`, 6, head / 2);
    const every = Math.max(1, Math.ceil(40 / zoom));
    for (let step = first - (first % every); step < last; step += every) if (x(step) >= names) pen.fillText(String(step), x(step) + 3, head / 2);
    if (x(cursor) >= names) { pen.strokeStyle = tone.cursor; pen.lineWidth = 2; pen.strokeRect(x(cursor), 1, zoom, tall - 2); }
    status.textContent = `step ${cursor} of ${steps - 1}`;
  }
  /** @param {any} pen @param {Row} row @param {number} y @param {number} first @param {number} last @param {(step: number) => number} x @param {any} tone */
  function signal(pen, row, y, first, last, x, tone) {
    const low = y + height - 5, high = y + 5, isBit = row.isBit;
    pen.lineWidth = 1.5;
    for (let step = first; step < last; step++) {
      const value = row.at(step), isNew = step === first || value !== row.at(step - 1);
      pen.strokeStyle = row.needed && !row.needed(step) ? tone.off : tone.wave;
      pen.beginPath();
      if (isBit) {
        const level = value === "1" || value === "true" ? high : low;
        if (step > 0 && value !== row.at(step - 1)) pen.moveTo(x(step), level === high ? low : high), pen.lineTo(x(step), level);
        else pen.moveTo(x(step), level);
        pen.lineTo(x(step + 1), level);
      } else {
        pen.moveTo(x(step), high); pen.lineTo(x(step + 1), high); pen.moveTo(x(step), low); pen.lineTo(x(step + 1), low);
        if (isNew) pen.moveTo(x(step), high), pen.lineTo(x(step), low);
      }
      pen.stroke();
      if (!isBit && isNew) {
        let end = step + 1;
        while (end < last && row.at(end) === value) end++;
        pen.fillStyle = tone.text; pen.save(); pen.beginPath(); pen.rect(x(step), y, (end - step) * zoom - 2, height); pen.clip();
        pen.fillText(inRadix(value, radix), x(step) + 4, y + height / 2); pen.restore();
      }
    }
  }
  /** @param {number} step */
  function go(step) {
    cursor = Math.max(0, Math.min(steps - 1, step));
    const at = cursor * zoom, room = box.clientWidth - names;
    if (at < box.scrollLeft) box.scrollLeft = at;
    else if (at + zoom > box.scrollLeft + room) box.scrollLeft = at + zoom - room;
    draw();
  }
  /** @param {number} factor */
  function rescale(factor) { zoom = Math.max(3, Math.min(160, zoom * factor)); layout(); go(cursor); }

  box.addEventListener("scroll", () => requestAnimationFrame(draw));
  box.addEventListener("click", (event) => {
    const at = event.clientX - box.getBoundingClientRect().left - names + box.scrollLeft;
    if (at >= 0) go(Math.floor(at / zoom));
  });
  keys(box, { ArrowLeft: () => go(cursor - 1), ArrowRight: () => go(cursor + 1), Home: () => go(0), End: () => go(steps - 1), "+": () => rescale(1.4), "-": () => rescale(1 / 1.4) });
  const search = /** @type {HTMLInputElement} */ (el("input", { type: "search", placeholder: "search signals", "aria-label": "search signals" }));
  search.addEventListener("input", () => { wanted = search.value.toLowerCase(); choose(); });
  const radices = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "radix" }, ...["as is", "dec", "hex", "bin"].map((name) => el("option", {}, name))));
  radices.addEventListener("change", () => { radix = radices.value; draw(); });
  const everything = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
  everything.addEventListener("change", () => { all = everything.checked; choose(); });
  const tools = el("div", { class: "tools" }, search, radices, el("label", {}, everything, " all signals"), leftOut, button("−", () => rescale(1 / 1.4), "zoom out"), button("+", () => rescale(1.4), "zoom in"), button("|◀", () => go(0), "first step"), button("◀", () => go(cursor - 1), "step back"), button("▶", () => go(cursor + 1), "next step"), button("▶|", () => go(steps - 1), "last step"), status);
  new ResizeObserver(draw).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  choose();
  return el("div", {}, tools, box);
}
