import { customParameter } from "../../../domain/launch.ts";
import { showsNothing } from "../../../kernel/text.ts";

/**
 * As far as they are certain. Canvas lists ids once each, ascending, and names by enrolment: with two roles in one
 * section there are more names than ids. Only lists of equal length count, and a single id whose names all agree.
 * @param custom Of a launch or a roster entry. @returns names by section id.
 */
export function sectionNamesOf(custom: Readonly<Record<string, string>>): Map<string, string> {
  const ids = idsIn(custom[customParameter.sectionIds] ?? "");
  if (ids.length === 0) return new Map();
  const names = namesIn(custom[customParameter.sectionNames] ?? "");
  const agreeing = ids.length === 1 && new Set(names).size === 1 ? names.slice(0, 1) : names;
  if (agreeing.length !== ids.length) return new Map();
  return new Map(
    ids.flatMap((id, at) => {
      const name = agreeing[at] ?? "";
      return showsNothing(name) ? [] : [[id, name] as const];
    }),
  );
}

/** Ascending, as documented; sorted to be sure. */
function idsIn(text: string): string[] {
  const ids = [...new Set(text.split(",").map((id) => id.trim()))].filter((id) => id !== "");
  return ids.every((id) => /^\d+$/.test(id)) ? ids.sort(byNumber) : ids;
}

/** Canvas's global ids have 17 digits, too many for a number. */
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
