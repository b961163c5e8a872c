"use strict";
// What all pages share. Everything that comes from files becomes text of elements, never markup.

const LIMIT = 400; // items of a list that are shown at once
const SLICE_MS = 30; // that a page is drawn before the browser has a turn
/** @type {any} The data, as soon as it is read. */
const page = {};

/**
 * Text without characters that turn it around, break it or hide: these become escapes.
 * @param {string} text
 */
function plain(text) {
  return text.replace(/[^\P{C}\t]|[\p{Zl}\p{Zp}]/gu, (c) => `\\u{${/** @type {number} */ (c.codePointAt(0)).toString(16)}}`);
}

/**
 * An element with attributes and children; strings become text.
 * @param {string} tag @param {Record<string, string>} attributes @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.map((child) => (typeof child === "string" ? child.split("\n").map(plain).join("\n") : child)));
  return node;
}

/** @param {string} label @param {() => void} act @param {string} title */
function button(label, act, title) {
  const node = el("button", { type: "button", title, "aria-label": title }, label);
  node.addEventListener("click", act);
  return node;
}

/** @param {[string, string | Node][]} pairs */
function facts(pairs) {
  return el("table", {}, ...pairs.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))));
}

/**
 * An element of a drawing.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children
 * @returns {SVGElement}
 */
function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children.map((child) => (typeof child === "string" ? plain(child) : child)));
  return node;
}

/** Parts of a page one after the other; between them the browser may paint. @param {Iterator<unknown>} parts @param {() => void} done */
function inSlices(parts, done) {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until) if (parts.next().done) return done();
  setTimeout(() => inSlices(parts, done));
}

/** Read the data. */
function read() {
  Object.assign(page, JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent || "{}"));
}

/**
 * Read the data and draw the page when its head is painted, or soon: nobody paints what is behind another tab.
 * @param {() => Iterator<unknown>} draw
 */
function begin(draw) {
  let isBegun = false;
  document.documentElement.dataset.drawn = "no";
  const start = () => {
    if (isBegun) return;
    isBegun = true;
    read();
    inSlices(draw(), () => { document.documentElement.dataset.drawn = "yes"; });
  };
  requestAnimationFrame(() => setTimeout(start));
  setTimeout(start, 200);
}

/**
 * Keys that act while an element, and no field in it, has the focus.
 * @param {HTMLElement} box @param {Record<string, () => void>} moves
 */
function keys(box, moves) {
  box.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
    if (Object.hasOwn(moves, event.key)) { moves[event.key](); event.preventDefault(); }
  });
}
