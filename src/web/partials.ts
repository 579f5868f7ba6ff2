import type { Translate } from "./translate.ts";

/** What every page shows at its top. */
export type Head = {
  t: Translate;
  title: string;
  /** Value of a meta element: where and when a browser without scripts comes again. */
  refreshes?: string;
};

export type Foot = {
  t: Translate;
  /** The page's session, which people end here; missing where there is none. */
  session?: string;
  /** False: the session may only enter. */
  whole?: boolean;
  signsOut?: boolean;
  /** The page only passes a launch on. */
  passes?: boolean;
};

/** The areas of a course's pages. */
export type CourseArea =
  "home" | "sessions" | "attendance" | "grades" | "recordings" | "people" | "settings" | "mine";

export type CourseNav = {
  t: Translate;
  session: string;
  current: CourseArea;
  /** False for learners, who have areas of their own. */
  teaches?: boolean;
  /** Areas that the reader's role does not include. */
  hides?: readonly string[];
};

/** What every page of a course shows. */
export type CourseFrame = { t: Translate; title: string; courseName: string; session: string };

/** A form that opens the course's pages in a tab of their own. */
export type OwnTab = { t: Translate; session: string };

/** A value to copy. `id`: of its element. */
export type CopiedValue = { t: Translate; id: string; label: string; value: string };

/** Advice to administrators about cookies. `host`: the tool's. */
export type CookieAdvice = { t: Translate; host: string };

/** A form that starts the login once more, in a window of its own; `again`: its fields. */
export type BeginAgain = { t: Translate; login: { again: Readonly<Record<string, string>> } };

/** A form that fetches what was chosen in another window. */
export type FetchAnswer = { t: Translate; answerKey: string };

/** Pages of a list: `action` shows one, `fields` go along. */
export type PagesOfList = {
  t: Translate;
  session: string;
  action: string;
  fields: Readonly<Record<string, string | number>>;
  page: number;
  pages: number;
};
