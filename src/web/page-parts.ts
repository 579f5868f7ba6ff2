import ejs from "ejs";
import type { CourseArea } from "./partials.ts";

/** Drawings in `views/assets/icons.svg`; each has a line there. */
export const iconNames = [
  "alert",
  "attendance",
  "back",
  "building",
  "calendar",
  "check",
  "clock",
  "down",
  "download",
  "edit",
  "exit",
  "eye",
  "globe",
  "grades",
  "help",
  "home",
  "inbox",
  "info",
  "key",
  "link",
  "list",
  "lock",
  "mail",
  "minus",
  "more",
  "next",
  "people",
  "play",
  "plug",
  "plus",
  "refresh",
  "repeat",
  "search",
  "send",
  "settings",
  "shield",
  "undo",
  "video",
  "x",
] as const;

export type IconName = (typeof iconNames)[number];

/** What a pill means: done, needs a person, failed, on its way, left out, nothing yet. Each has a sign of its own beside its colour. */
export type Tone = "good" | "wait" | "bad" | "info" | "free" | "none";

const signs: Readonly<Record<Tone, IconName>> = {
  good: "check",
  wait: "alert",
  bad: "x",
  info: "clock",
  free: "minus",
  none: "minus",
};

/** A tab of a course's pages. `room`: "late" is under More on a phone, "later" where there is hardly any room. */
export type AreaTab = {
  area: CourseArea;
  address: string;
  icon: IconName;
  room: "" | "late" | "later";
};

const teaching: readonly AreaTab[] = [
  { area: "home", address: "/home", icon: "home", room: "" },
  { area: "sessions", address: "/sessions", icon: "calendar", room: "" },
  { area: "attendance", address: "/grid", icon: "attendance", room: "" },
  { area: "grades", address: "/grades", icon: "grades", room: "later" },
  { area: "recordings", address: "/recordings", icon: "play", room: "late" },
  { area: "people", address: "/people", icon: "people", room: "late" },
  { area: "settings", address: "/settings", icon: "settings", room: "late" },
];
const learning: readonly AreaTab[] = [
  { area: "home", address: "/home", icon: "home", room: "" },
  { area: "mine", address: "/my-sessions", icon: "attendance", room: "" },
  { area: "recordings", address: "/recordings", icon: "play", room: "later" },
];

/** Small parts that every template can use, as markup. */
export type PageParts = {
  /** Decoration: a word stands beside it, or the element around it has a label. */
  icon: (name: IconName) => string;
  /** The state of one thing, as a sign and a word. */
  pill: (tone: Tone, text: string) => string;
  /** The tabs of instructors, or of learners. */
  areaTabs: (teaches: boolean) => readonly AreaTab[];
};

export const pageParts: PageParts = {
  icon,
  pill: (tone, text) => `<span class="pill ${tone}">${icon(signs[tone])}${ejs.escapeXML(text)}</span>`,
  areaTabs: (teaches) => (teaches ? teaching : learning),
};

function icon(name: IconName): string {
  return `<svg class="i" aria-hidden="true"><use href="/assets/icons.svg#${name}"/></svg>`;
}
