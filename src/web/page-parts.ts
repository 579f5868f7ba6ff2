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

/** What a pill means: done, needs a person, failed, on its way, left out, nothing yet. Each has a sign as well as a colour. */
export type Tone = "good" | "wait" | "bad" | "info" | "free" | "none";

const signs: Readonly<Record<Tone, IconName>> = {
  good: "check",
  wait: "alert",
  bad: "x",
  info: "clock",
  free: "minus",
  none: "minus",
};

/** A tab of a course's pages. `room`: "late" tabs are under More on a phone, "later" tabs only if there is hardly any room. */
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
  /** A decorative icon; a word next to it or a label around it says the same. */
  icon: (name: IconName) => string;
  /** The state of one thing, as a sign and a word. */
  pill: (tone: Tone, text: string) => string;
  /** The head of a table, from the names of its columns. `class`: the column's class. */
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

/** Begins with a capital; some of these words also appear inside sentences. */
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

/** How the templates of a page lead to other pages. */
export type PageWays = {
  /** The beginning of addresses of the course's pages: `<%= base %>/grades`. */
  base: string;
  /** The hidden field that carries the page's session in a form. */
  sessionField: string;
  /** The method of a form that asks for a page. */
  readMethod: "get" | "post";
  /** The hidden field of a form that requests a page: the session, or "" if the page is requested by its address. */
  readField: string;
  /** Leads to another page of the course: a link, or a form with a button if the page has no address. */
  leadTo: (page: string, text: string, options?: LeadOptions) => string;
};

/** Where a page of the course is, according to its request. */
export type PageLocation = {
  /** A cookie of the browser proves the session. */
  byAddress?: boolean;
  /** The page's own address, below `base`; missing for answers to a form, which no address shows again. */
  pagePath?: string;
  /** False if we know that the page is at top level. */
  mayBeFramed?: boolean;
};

type LeadOptions = {
  /** The fields with which the page is requested; an address leaves out empty values. */
  fields?: Readonly<Record<string, string | number>>;
  /** The link's or the button's class. */
  class?: string;
  /** The page is the one on display. */
  current?: boolean;
  autofocus?: boolean;
  /** Before the text. */
  icon?: IconName;
  /** A number after the text of a chip, set apart from it: "Group 1" has 2. */
  count?: string | number | null;
  /** Ids of the elements that describe the link to somebody who hears it alone. */
  describedBy?: string;
  /** Another text for screen readers. */
  label?: string;
};

/**
 * @param session The token that the page carries.
 * @param byAddress A cookie proves the session, so pages are requested by their addresses.
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
