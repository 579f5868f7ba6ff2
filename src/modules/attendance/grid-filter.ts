/** Which lines of the table of learners and sessions are wanted. */
export type GridFilter = {
  /** The LMS's id; null for everybody. */
  sectionId: string | null;
  /**
   * low: attended less than `percent` of the sessions · absent: absent `times` or more · present, late, excused: so in
   * one session at least, whether it counts for grades or not · blank: a session of theirs is not marked · unknown: a
   * status that this tool does not know · conflict: the classroom contradicts a correction.
   */
  only: "low" | "present" | "late" | "absent" | "excused" | "blank" | "unknown" | "conflict" | null;
  /** 1 to 100. */
  percent: number;
  times: number;
  /** Parts of a name, or the LMS's user id where names are withheld; empty for everybody. */
  search: string;
  order: "name" | "rate";
  /** Counted from 1. */
  page: number;
  perPage: number;
  /** So many of the latest sessions are left out. */
  back: number;
};

/** What is shown when nothing is asked for. */
export const wholeGrid: GridFilter = {
  sectionId: null,
  only: null,
  percent: 80,
  times: 3,
  search: "",
  order: "name",
  page: 1,
  perPage: 50,
  back: 0,
};

/** Whether everybody has to be looked at to know who is on a page. */
export function isNarrowed({ only, search, order }: GridFilter): boolean {
  return only !== null || search.trim() !== "" || order === "rate";
}

/** Whether somebody is found by a text: each of its words is in the name that lists are sorted by. */
export function isFound(listName: string, search: string): boolean {
  const words = searchable(search).split(/\s+/);
  if (words[0] === "") return true;
  const name = searchable(listName);
  return words.every((word) => name.includes(word));
}

/** Letters without case and accents: "Muller" finds "Müller". */
function searchable(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .trim();
}
