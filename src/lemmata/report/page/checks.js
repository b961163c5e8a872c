// Why a proof holds: its obligations, each with the solver that discharged it and the time it took.

/** @typedef {{kind: string, edge: number | null, sources: string[], target: string | null, line: number | null, by: string, time_s: number}} Check */

const OWED = /** @type {Record<string, string>} */ ({
  initiation: "what is initial satisfies it",
  consecution: "each step keeps it",
  property: "it excludes what is bad",
  base: "no run of fewer than k steps is bad",
  step: "k good steps lead to no bad one",
});

/** @param {number} seconds */
function milliseconds(seconds) {
  return `${(1000 * seconds).toFixed(1)} ms`;
}

/** Where the edge of an obligation leads. @param {Check} check */
function placeOf(check) {
  if (check.target === null) return "";
  return `${check.sources.join(", ") || "start"} → ${check.target}${check.line ? `, line ${check.line}` : ""}`;
}

/** Obligations as a table. @param {Check[]} each @returns {HTMLElement} */
function checkTable(each) {
  const isOnEdges = each.some((check) => check.target !== null);
  const names = ["obligation", ...(isOnEdges ? ["edge"] : ["which says that"]), "discharged by", "in"];
  const rows = each.slice(0, LIMIT).map((check) => el("tr", {}, el("td", {}, check.kind), el("td", {}, isOnEdges ? placeOf(check) : OWED[check.kind] || ""), el("td", {}, check.by), el("td", { class: "number" }, milliseconds(check.time_s))));
  return el("div", { class: "frames", tabindex: "0" }, el("table", { class: "checks" }, el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, name))), ...rows));
}

/** The obligations of a property's proof, unfolded on demand. @param {any} prop @returns {HTMLElement[]} */
function checksOf(prop) {
  const checks = prop.checks;
  if (!checks || !checks.count) return [];
  const left = checks.count - checks.each.length;
  const head = `why it holds: ${checks.count} obligation${checks.count === 1 ? "" : "s"}, discharged in ${milliseconds(checks.time_s)}`;
  const details = /** @type {HTMLDetailsElement} */ (el("details", { class: "why" }, el("summary", {}, head)));
  const fill = () => {
    if (!details.open || details.childElementCount > 1) return;
    details.append(checkTable(checks.each), ...(left ? [el("p", { class: "faint" }, `These took longest; ${left} more took less.`)] : []));
  };
  details.addEventListener("toggle", fill);
  details.open = checks.each.length <= 3;
  return [details];
}
