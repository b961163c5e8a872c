// Invariants of circuits and of words: formulas grouped by the words that they speak of; few of them, or one group, are a list.

const FEW_CLAUSES = 12; // that are a list
const OPEN_CLAUSES = 60; // whose groups are all unfolded
const HEAD_NAMES = 6; // names in the head of a group
const OTHERS = ""; // the key of what is left

/** The word of a latch: x of x[3], x3 and x_3. @param {string} name */
function wordOf(name) {
  return name.replace(/(?:\[\d+\]|_?\d+)$/, "") || name;
}

/** The words that a clause speaks of. @param {string} clause */
function wordsOf(clause) {
  return [...new Set(clause.split(" ∨ ").map((literal) => wordOf(literal.replace(/^¬/, ""))))].sort();
}

/**
 * Formulas by the words that they speak of, the largest groups first; what would be a group of one comes last, together.
 * @param {string[]} clauses @param {string[][] | null} spoken the words of each, where they are no clauses @returns {Map<string, string[]>}
 */
function byWords(clauses, spoken) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  const add = (/** @type {string} */ key, /** @type {string} */ clause) => { groups.has(key) ? groups.get(key)?.push(clause) : groups.set(key, [clause]); };
  for (const [k, clause] of clauses.entries()) add(headOf(spoken ? spoken[k] : wordsOf(clause)), clause);
  const large = [...groups].filter(([, members]) => members.length > 1).sort(([, a], [, b]) => b.length - a.length);
  const rest = [...groups.values()].filter((members) => members.length === 1).flat();
  return new Map(rest.length ? [...large, [OTHERS, rest]] : large);
}

/** What a group is called; sets of words that would be called the same are one group. @param {string[]} words */
function headOf(words) {
  const more = words.length - HEAD_NAMES;
  return words.slice(0, HEAD_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The formulas of an invariant: clauses, or what speaks of the words that are given. @param {string[]} clauses @param {string[][] | null} spoken @returns {HTMLElement} */
function clauseGroups(clauses, spoken = null) {
  const kind = spoken ? "formula" : "clause";
  const groups = clauses.length > FEW_CLAUSES ? [...byWords(clauses, spoken)] : [];
  if (groups.length < 2) return formulas(clauses);
  const parts = groups.slice(0, LIMIT).map(([head, members], k) => {
    const summary = el("summary", {}, el("b", {}, head || "others"), ` ${members.length} ${kind}${members.length === 1 ? "" : "s"}`);
    const details = /** @type {HTMLDetailsElement} */ (el("details", { class: "clauses" }, summary));
    details.addEventListener("toggle", () => { if (details.open && details.childElementCount === 1) details.append(formulas(members)); });
    details.open = k === 0 || clauses.length <= OPEN_CLAUSES;
    return details;
  });
  const more = groups.length - parts.length;
  return el("div", {}, ...parts, ...(more > 0 ? [el("p", { class: "faint" }, `… ${more} more groups in the data`)] : []));
}
