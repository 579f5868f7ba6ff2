import ejs from "ejs";
import type { CourseArea } from "./partials.ts";
import { sessionFolder, sessionIdIn } from "./session-address.ts";

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
  "search",
  "send",
  "settings",
  "shield",
  "undo",
  "video",
  "x",
] as const;

export type IconName = (typeof iconNames)[number];

/** What a pill means: done, needs a person, failed, on its way, left out, nothing yet. Each has a sign besides its colour. */
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
type AreaTab = { area: CourseArea; address: string; icon: IconName; room: "" | "late" | "later" };

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
  { area: "recordings", address: "/recordings", icon: "play", room: "" },
];

/** Small parts that every template can use, as markup. */
export type PageParts = {
  /** Decoration: there is a word next to it, or the element around it has a label. */
  icon: (name: IconName) => string;
  /** The state of one thing, as a sign and a word. */
  pill: (tone: Tone, text: string) => string;
  /** The head of a table, by the names of its columns; `class`: of a column that has one. */
  tableHead: (...columns: readonly (string | { text: string; class: string })[]) => string;
  /** The tabs of instructors, or of learners. */
  areaTabs: (teaches: boolean) => readonly AreaTab[];
};

export const pageParts: PageParts = {
  icon,
  pill: (tone, text) =>
    `<span class="pill ${tone}">${icon(signs[tone])}${ejs.escapeXML(capitalized(text))}</span>`,
  tableHead: (...columns) =>
    `<thead role="rowgroup"><tr role="row">${columns.map(columnHead).join("")}</tr></thead>`,
  areaTabs: (teaches) => (teaches ? teaching : learning),
};

/** With a capital: some words of pills are also used inside sentences. */
function capitalized(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

function columnHead(column: string | { text: string; class: string }): string {
  const { text, class: name } = typeof column === "string" ? { text: column, class: "" } : column;
  const classText = name === "" ? "" : ` class="${name}"`;
  return `<th scope="col" role="columnheader"${classText}>${ejs.escapeXML(text)}</th>`;
}

function icon(name: IconName): string {
  return `<svg class="i" aria-hidden="true"><use href="/assets/icons.svg#${name}"/></svg>`;
}

/** With what a page's templates lead on. */
export type PageWays = {
  /** Begins the addresses of the course's pages: `<%= base %>/grades`. */
  base: string;
  /** The hidden field that carries the page's session in a form. */
  sessionField: string;
  /** The method of a form that asks for a page. */
  readMethod: "get" | "post";
  /** The hidden field of a form that asks for a page: the session, or nothing where the page is asked for by its address. */
  readField: string;
  /** What leads to another page of the course: a link, or a form with a button where the page has no address. */
  leadTo: (page: string, text: string, options?: LeadOptions) => string;
};

/** Where a page of the course is, as far as the request for it says. */
export type PageLocation = {
  /** The browser proves the session. */
  byAddress?: boolean;
  /** The page's own address, below `base`; missing for answers to a form that no address shows again. */
  pagePath?: string;
  /** False where the page is known to be at top level. */
  mayBeFramed?: boolean;
};

type LeadOptions = {
  /** What the page is asked for; an empty value is left out of an address. */
  fields?: Readonly<Record<string, string | number>>;
  /** The link's or the button's class. */
  class?: string;
  /** The page is the one that is shown. */
  current?: boolean;
  autofocus?: boolean;
  /** Before the text. */
  icon?: IconName;
  /** After the text of a chip, apart from it: "Group 1" has 2. */
  count?: string | number | null;
  /** Ids of the elements that describe the link when it is heard alone. */
  describedBy?: string;
  /** Another text for such a reader. */
  label?: string;
};

/**
 * @param session The token that the page carries.
 * @param byAddress The browser proves the session, so pages are asked for by their addresses.
 */
export function pageWays(session: string, byAddress: boolean): PageWays {
  const base = sessionFolder(sessionIdIn(session));
  const sessionField = hidden("session", session);
  return {
    base,
    sessionField,
    readMethod: byAddress ? "get" : "post",
    readField: byAddress ? "" : hidden("session", session, " data-reads"),
    leadTo: (page, text, options = {}) => {
      const [path = "", mark] = page.split("#");
      const end = mark === undefined ? "" : `#${mark}`;
      const fields = Object.entries(options.fields ?? {}).map(([name, value]) => ({
        name,
        value: String(value),
      }));
      const number =
        options.count == null ? "" : ` <span class="n">${ejs.escapeXML(String(options.count))}</span>`;
      const drawn = options.icon === undefined ? "" : pageParts.icon(options.icon);
      const label = drawn + ejs.escapeXML(text) + number;
      if (byAddress) {
        const query = new URLSearchParams();
        for (const { name, value } of fields) if (value !== "") query.set(name, value);
        const address = base + path + (query.size === 0 ? "" : `?${query.toString()}`) + end;
        return `<a${attributesOf({ ...options, href: address, class: `button ${options.class ?? ""}`.trim() })}>${label}</a>`;
      }
      const inputs = fields.map(({ name, value }) => hidden(name, value)).join("");
      const button = `<button type="submit"${attributesOf(options)}>${label}</button>`;
      return `<form method="post" action="${ejs.escapeXML(base + path + end)}">${sessionField}${inputs}${button}</form>`;
    },
  };
}

function attributesOf(options: LeadOptions & { href?: string }): string {
  const named = {
    href: options.href,
    class: options.class,
    "aria-current": options.current === true ? "page" : undefined,
    autofocus: options.autofocus === true ? "" : undefined,
    "aria-describedby": options.describedBy,
    "aria-label": options.label,
  };
  return Object.entries(named)
    .flatMap(([name, value]) => (value === undefined ? [] : ` ${name}="${ejs.escapeXML(value)}"`))
    .join("");
}

function hidden(name: string, value: string, mark = ""): string {
  return `<input type="hidden" name="${ejs.escapeXML(name)}" value="${ejs.escapeXML(value)}"${mark}>`;
}
