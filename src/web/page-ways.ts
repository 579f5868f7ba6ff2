import ejs from "ejs";
import { type IconName, pageParts } from "./page-parts.ts";
import { sessionFolder, sessionIdIn } from "./session-cookie.ts";

/** With what a page's templates lead on. */
export type PageWays = {
  /** Begins the addresses of the course's pages: `<%= base %>/grades`. */
  base: string;
  /** The hidden field by which a form carries the session of its page. */
  sessionField: string;
  /** The method of a form that asks for a page. */
  readMethod: "get" | "post";
  /** The hidden field of a form that asks for a page: `sessionField`, or nothing where the page is asked for by its address. */
  readField: string;
  /** What leads to another page of the course: a link, or a form with a button where the page has no address. */
  leadTo: (page: string, text: string, options?: LeadOptions) => string;
};

/** Where a page of the course is, as far as the request for it says. */
export type PagePlace = {
  /** The browser proves the session by itself. */
  byAddress?: boolean;
  /** The page's own address, below `base`; missing for answers to a form that no address shows again. */
  pagePath?: string;
  /** False where the page is known to be at top level. */
  mayBeFramed?: boolean;
};

type LeadOptions = {
  /** What the page is asked for; an empty value is left out of an address. */
  fields?: Readonly<Record<string, string | number>>;
  /** Of the link or the button. */
  class?: string;
  /** The page is the one that is shown. */
  current?: boolean;
  autofocus?: boolean;
  /** Before the text. */
  icon?: IconName;
  /** Ids of what says the rest, to a reader who hears the link alone. */
  describedBy?: string;
  /** Another text for such a reader. */
  label?: string;
};

/**
 * @param session The token that the page carries.
 * @param byAddress The browser proves the session by itself, so that pages are asked for by their addresses.
 */
export function pageWays(session: string, byAddress: boolean): PageWays {
  const base = sessionFolder(sessionIdIn(session));
  const sessionField = hidden("session", session);
  return {
    base,
    sessionField,
    readMethod: byAddress ? "get" : "post",
    readField: byAddress ? "" : sessionField,
    leadTo: (page, text, options = {}) => {
      const [path = "", mark] = page.split("#");
      const end = mark === undefined ? "" : `#${mark}`;
      const fields = Object.entries(options.fields ?? {}).map(([name, value]) => ({
        name,
        value: String(value),
      }));
      const label = (options.icon === undefined ? "" : pageParts.icon(options.icon)) + ejs.escapeXML(text);
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

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${ejs.escapeXML(name)}" value="${ejs.escapeXML(value)}">`;
}
