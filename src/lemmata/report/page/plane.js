// The plane of two variables: films draw frames on it, results the region of an invariant.

/** @typedef {[[number, number], [number, number]]} Bounds */
/** @typedef {{place: string | null, names: string[], window: Bounds, invariant: string, bad: string | null, reached: string | null, isAll: boolean, outside: number}} Region */

/** A drawing of the points of a window. @param {Bounds} range @param {string[]} names @param {number} widest */
function grid(range, names, widest) {
  const [[left, right], [low, high]] = range;
  const wide = right - left + 1, tall = high - low + 1;
  const width = widest, height = names.length < 2 ? 24 : Math.round(Math.min(widest, Math.max(60, (widest * tall) / wide)));
  const sx = width / wide, sy = height / tall, top = (/** @type {number} */ y) => height - (y + 1) * sy;
  /** Whether a point is in a region. @param {string} digits @param {number} at */
  const isIn = (digits, at) => ((parseInt(digits[at >> 2], 16) >> (3 - (at & 3))) & 1) === 1;
  /** The points of a region as an area. @param {string} digits @param {string} name */
  function area(digits, name) {
    let d = "";
    for (let y = 0; y < tall; y++) {
      for (let x = 0; x < wide; x++) {
        let run = 0;
        while (x + run < wide && isIn(digits, y * wide + x + run)) run++;
        if (run) d += `M${(x * sx).toFixed(1)} ${top(y).toFixed(1)}h${(run * sx).toFixed(1)}v${(sy + 0.2).toFixed(1)}h${(-run * sx).toFixed(1)}z`;
        x += run;
      }
    }
    return svg("path", { d, class: name });
  }
  /** The points of a region as dots. @param {string} digits @param {string} name */
  function dots(digits, name) {
    const size = Math.max(1.2, Math.min(sx, sy) * 0.28);
    let d = "";
    for (let at = 0; at < wide * tall; at++) {
      if (isIn(digits, at)) d += `M${((at % wide) * sx + sx / 2 - size).toFixed(1)} ${(top(Math.floor(at / wide)) + sy / 2).toFixed(1)}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`;
    }
    return svg("path", { d, class: name });
  }
  /** @param {string} id */
  const hatched = (id) => svg("defs", {}, svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("path", { d: "M0 0V6", class: "hatch" })));
  /** @param {string} label @param {...Node} parts */
  const picture = (label, ...parts) => svg("svg", { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width + 2, height: height + 2, role: "img", "aria-label": label }, svg("rect", { width, height, class: "ground" }), ...parts);
  const caption = `${names[0]}: ${left} … ${right}${names.length < 2 ? "" : `, ${names[1]}: ${low} … ${high}`}`;
  return { area, dots, hatched, picture, caption };
}

/** A word of a legend. @param {string} name @param {string} text */
function legend(name, text) {
  return el("span", { class: "legend" }, el("span", { class: `key ${name}` }), ` ${text}`);
}

/** The pictures of a property's invariant. @param {number} number @returns {HTMLElement[]} */
function regionOf(number) {
  /** @type {Region[]} */
  const all = (page.regions || [])[number] || [];
  if (!all.length) return [];
  const figures = all.map((region, k) => {
    const { area, dots, hatched, picture, caption } = grid(region.window, region.names, 300);
    const id = `bad${number}_${k}`, parts = [hatched(id), area(region.invariant, "holds-area")];
    if (region.bad !== null) { const bad = area(region.bad, "bad"); bad.setAttribute("fill", `url(#${id})`); parts.push(bad); }
    if (region.reached !== null) parts.push(dots(region.reached, "states"));
    const outside = region.outside ? `; ${region.outside} reached outside the window` : "";
    return el("figure", {}, el("figcaption", {}, `${region.place === null ? "" : `${region.place}: `}${caption}${outside}`), picture(`region of the invariant, ${caption}`, ...parts));
  });
  const isAll = all.every((region) => region.isAll), some = (/** @type {(region: Region) => boolean} */ has) => all.some(has);
  const key = el("p", { class: "faint" }, legend("holds-area", "the invariant holds"), ...(some((region) => region.bad !== null) ? [legend("bad", "bad states")] : []),
    ...(some((region) => region.reached !== null) ? [legend("states", isAll ? "reachable states, all of them" : "states that are reached, as far as was looked")] : []));
  return [el("div", { class: "region" }, el("h3", {}, "the invariant on the plane"), el("div", { class: "planes" }, ...figures), key)];
}
