export type GridFilter = {
  /** The LMS's id; null for everybody. */
  sectionId: string | null;
  /**
   * low: attended less than `percent` · absent: `times` or more · present, late, excused: at least once, counted or not
   * · blank: a session is not marked · conflict: the classroom contradicts a correction.
   */
  only: "low" | "present" | "late" | "absent" | "excused" | "blank" | "unknown" | "conflict" | null;
  /** 1 to 100. */
  percent: number;
  times: number;
  /** Parts of a name, or the LMS's user id where names are withheld. */
  search: string;
  order: "name" | "rate";
  /** Counted from 1. */
  page: number;
  perPage: number;
  /** Number of latest sessions left out. */
  back: number;
};

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

/** Whether everybody has to be read to fill a page. */
export function isNarrowed({ only, search, order }: GridFilter): boolean {
  return only !== null || search.trim() !== "" || order === "rate";
}

/** Each word must be in the list name. */
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
