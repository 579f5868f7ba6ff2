import { customParameter } from "../../../domain/launch.ts";

/**
 * Names of a person's sections, as far as they can be told apart. Canvas gives ids without repetition in ascending
 * order, and names in the order of their sections, one for each enrolment: somebody with two roles in one section
 * has more names than ids. Only equally long lists are believed, and a single id whose names all agree.
 * @param custom Custom parameters of a launch or a roster entry.
 * @returns names by section id; empty when the LMS tells none.
 */
export function sectionNamesOf(custom: Readonly<Record<string, string>>): Map<string, string> {
  const ids = idsIn(custom[customParameter.sectionIds] ?? "");
  const names = namesIn(custom[customParameter.sectionNames] ?? "");
  const agreeing = ids.length === 1 && new Set(names).size === 1 ? names.slice(0, 1) : names;
  if (agreeing.length !== ids.length) return new Map();
  return new Map(
    ids.flatMap((id, at) => {
      const name = agreeing[at] ?? "";
      return name === "" ? [] : [[id, name] as const];
    }),
  );
}

/** Ids in ascending order; their order in the text is documented but cheap to make sure of. */
function idsIn(text: string): string[] {
  const ids = [...new Set(text.split(",").map((id) => id.trim()))].filter((id) => id !== "");
  return ids.every((id) => /^\d+$/.test(id)) ? ids.sort(byNumber) : ids;
}

/** Canvas ids may be longer than a number holds exactly (global ids have 17 digits). */
function byNumber(one: string, other: string): number {
  const [a, b] = [BigInt(one), BigInt(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function namesIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.map((name: unknown) => (typeof name === "string" ? name.trim() : ""));
  } catch {
    return [];
  }
}
