import type { SpaceAccess } from "../domain/course-link.ts";
import type { GradeWords, sumView } from "../modules/attendance/pages/my-attendance-view.ts";
import type { Brand } from "../modules/courses/rules/branding.ts";
import type { CalendarLinks } from "../modules/scheduling/pages/calendar-links.ts";
import type { SessionLine } from "../modules/scheduling/pages/sessions-view.ts";
import type { Translate } from "./translate.ts";

export type Head = {
  t: Translate;
  title: string;
  /** Value of a meta element that makes a browser without scripts reload: after how long, and which address. */
  refreshes?: string;
  /** The page consists of cards and uses the full width. */
  wide?: boolean;
};

/** The institution's name and logo, at the top of a page. */
export type BrandModel = { brand: Brand };

export type Foot = {
  t: Translate;
  /** The session that people can end here; missing or null for none. */
  session?: string | null;
  /** False if the session may only enter. */
  whole?: boolean;
  signsOut?: boolean;
  /** The page only passes a launch on. */
  passes?: boolean;
};

export type CourseArea =
  | "home"
  | "sessions"
  | "attendance"
  | "grades"
  | "recordings"
  | "people"
  | "settings"
  | "mine";

export type CourseNav = {
  t: Translate;
  session: string;
  current: CourseArea;
  /** False for learners, who have other areas. */
  teaches?: boolean;
  /** Areas that the reader's role does not include. */
  hides?: readonly string[];
};

/** Guides for instructors, by area, and the one for learners. */
export type GuideName =
  | "home"
  | "sessions"
  | "attendance"
  | "grades"
  | "grading"
  | "recordings"
  | "people"
  | "settings"
  | "learner";

/** The "?" next to a heading. `area`: the subject of the guide, as the page calls it. */
export type Help = { t: Translate; session: string; guide: GuideName; area: string };

/** Choices of days in the menus that export. */
export type TakeDays = { t: Translate };

/** The tabs of the area "settings"; `tab` is the current one. */
export type SettingsTabs = { t: Translate; tab: "space" | "grades" | "mails" | "changes" };

export type CourseFrame = { t: Translate; title: string; courseName: string; session: string };

/** A form that opens the course's pages in a new tab. */
export type OwnTab = { t: Translate; session: string };

/** A note that a form shows again what was typed. `path` and `fields`: its page's address below the session's. */
export type TypedNote = {
  t: Translate;
  session: string;
  path: string;
  fields: Readonly<Record<string, string>>;
};

/** The button that enters the Space, at the top of every page of a course. */
export type EnterButton = {
  t: Translate;
  session: string;
  /** Origins that the Space's frame needs; null if the Space opens in a tab. */
  embeds: readonly string[] | null;
  /** What a learner should know about the Space before entering. */
  access: Exclude<SpaceAccess, "unknown"> | null;
  /** After a launch in a frame, the Space opens without a click if the browser allows it. Never for instructors. */
  opensItself: boolean;
  /** True for learners, who "join"; instructors "enter". */
  joins: boolean;
};

/** Who is in the Space now: the number in words, some names and their initials; null if it is empty. */
export type HereNow = {
  t: Translate;
  session: string;
  hereNow: { text: string; names: string; faces: readonly string[] } | null;
};

/** A list of sessions, one per line. `calendars`: links that add a session to the reader's calendar, if that is offered. */
export type SessionLines = {
  t: Translate;
  session: string;
  lines: readonly (SessionLine & { calendars?: CalendarLinks | null })[];
  /** The zone of all times; a script adds the reader's own. */
  zoneName: string;
};

/** A learner's attendance in numbers. */
export type MySum = { t: Translate; sum: ReturnType<typeof sumView> };

/** A learner's grade, how it is calculated, and where to see it. `rule`: sentences about how the course counts. */
export type MyGrade = { t: Translate; heading: string; grade: GradeWords | null; rule: readonly string[] };

/** Fields for choosing another Space. `known` and `space`: what was typed. */
export type AnotherSpace = {
  t: Translate;
  spaces: readonly { spaceId: string; name: string }[];
  known: string;
  space: string;
  /** Why the Space can't be used. */
  problem: string | null;
  /** The institution allows only Spaces that were made for its courses. */
  ownOnly: boolean;
};

export type CopiedValue = { t: Translate; id: string; label: string; value: string };

export type CookieAdvice = { t: Translate; host: string };

/** A form that starts the login again in a new window. `again`: its fields. */
export type BeginAgain = {
  t: Translate;
  login: { again: Readonly<Record<string, string>>; begunHere: boolean; opensLink: boolean };
};

/** A form that fetches what the instructor chose in another window. */
export type FetchAnswer = { t: Translate; answerKey: string };

/** Links to the pages of a list. `action` shows a page, with `fields`. */
export type PagesOfList = {
  t: Translate;
  session: string;
  action: string;
  fields: Readonly<Record<string, string | number>>;
  page: number;
  pages: number;
};

export type Notice = { tone: "good" | "warning" | "mend"; text: string };

/** Null if nothing was changed. */
export type NoticeModel = { notice: Notice | null };
