/** The result of one step; `location` is where a redirect, or the page's one link, leads; `policy` its Content-Security-Policy. */
export type Seen = { status: number; url: string; location: string | null; text: string; policy?: string };

/** A browser without scripts; keeps cookies per host and port, each for its path. */
export type Visitor = {
  open: (url: string, options?: { framed?: boolean }) => Promise<Seen>;
  /**
   * Submits the first form, or the one whose action ends like this, with its hidden fields, or follows the link that leads there. Pages of
   * a session, `/c/<id>/grades`, are named as routes know them: `/course/grades`.
   */
  submit: (
    page: Seen,
    options?: { framed?: boolean; action?: string; fields?: Record<string, string> },
  ) => Promise<Seen>;
  cookiesFor: (url: string) => string;
  /** As from an earlier login at that host. */
  addCookie: (url: string, cookie: string) => void;
};

/** Redirects are not followed, since each one is a step to check; only those to a page of a course are. */
export function createVisitor(): Visitor {
  const jars = new Map<string, Map<string, { pair: string; path: string }>>();
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, { pair: string; path: string }>();
    jars.set(host, jar);
    return jar;
  };
  const keep = (url: string, cookie: string) => {
    const [pair = ""] = cookie.split(";");
    const path = /;\s*path=([^;]*)/i.exec(cookie)?.[1]?.trim() ?? "/";
    // As in browsers: two cookies of one name are separate if their paths differ.
    const key = `${pair.slice(0, pair.indexOf("=")).trim()} ${path}`;
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jarOf(url).delete(key);
    else jarOf(url).set(key, { pair: pair.trim(), path });
  };
  const cookiesFor = (url: string) =>
    [...jarOf(url).values()]
      .filter(({ path }) => isWithin(new URL(url).pathname, path))
      .map(({ pair }) => pair)
      .join("; ");
  const step = async (url: string, init: RequestInit, framed: boolean): Promise<Seen> => {
    const cookies = cookiesFor(url);
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: {
        accept: "text/html",
        "sec-fetch-dest": framed ? "iframe" : "document",
        ...(cookies === "" ? {} : { cookie: cookies }),
      },
    });
    for (const cookie of response.headers.getSetCookie()) keep(url, cookie);
    const text = await response.text();
    const location = response.headers.get("location") ?? onwardOf(text);
    if (response.status === 303 && location !== null && coursePage.test(location))
      return step(new URL(location, url).href, {}, framed);
    return {
      status: response.status,
      url,
      location: location === null ? null : new URL(location, url).href,
      text,
      policy: response.headers.get("content-security-policy") ?? "",
    };
  };
  return {
    open: (url, options = {}) => step(url, {}, options.framed ?? false),
    submit: (page, options = {}) => {
      const form = formOf(page, options.action);
      const body = new URLSearchParams({ ...form.fields, ...options.fields });
      if (form.method === "get") {
        const address = new URL(form.action);
        address.search = body.toString();
        return step(address.href, {}, options.framed ?? false);
      }
      return step(form.action, { method: "POST", body }, options.framed ?? false);
    },
    cookiesFor,
    addCookie: keep,
  };
}

/** Whether a cookie for `path` is sent along (RFC 6265, 5.1.4). */
function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

/** The link to continue without scripts (it is called "onward"). */
function onwardOf(text: string): string | null {
  const link = /<a\b[^>]*\bid="onward"[^>]*>/.exec(text)?.[0];
  return link === undefined ? null : attribute(link, "href");
}

const coursePage = /^\/c\/[\w-]{16}\//;

function pathOf(address: string): string {
  return new URL(address).pathname.replace(coursePage, "/course/");
}

type Form = { action: string; method: string; fields: Record<string, string> };

/** The page's own form, or the one whose action ends like this. @throws Error when there is none */
export function formOf(page: Seen, actionEnds?: string): Form {
  // Without an action, this means the page's own form, not its navigation.
  const text = actionEnds === undefined ? page.text.replaceAll(/<nav\b[\s\S]*?<\/nav>/g, "") : page.text;
  const forms = [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(
    ([, attributes = "", inside = ""]) => {
      const to = (action: string) => ({
        action: new URL(action, page.url).href,
        method: (attribute(attributes, "method") ?? "get").toLowerCase(),
        fields: Object.fromEntries(
          [...inside.matchAll(/<input\b([^>]*)>/g)].flatMap(([, input = ""]) => {
            const name = attribute(input, "name");
            return name === null ? [] : [[name, attribute(input, "value") ?? ""]];
          }),
        ),
      });
      // A button may send its form to another address.
      const elsewhere = [...inside.matchAll(/<button\b([^>]*)>/g)].flatMap(
        ([, button = ""]) => attribute(button, "formaction") ?? [],
      );
      return [attribute(attributes, "action") ?? page.url, ...elsewhere].map(to);
    },
  );
  const links = [...text.matchAll(/<a\b([^>]*)>/g)].flatMap(([, attributes = ""]) => {
    const href = attribute(attributes, "href");
    if (href === null || actionEnds === undefined) return [];
    const { origin, pathname, searchParams } = new URL(href, page.url);
    return [{ action: origin + pathname, method: "get", fields: Object.fromEntries(searchParams) }];
  });
  const ways: Form[] = [...forms, ...links];
  const form =
    ways.find(({ action }) => actionEnds === undefined || pathOf(action) === actionEnds) ??
    ways.find(({ action }) => pathOf(action).endsWith(actionEnds ?? ""));
  if (form === undefined) {
    throw new Error(
      `No such form on ${page.url} (status ${page.status}): ${page.text.replace(/\s+/g, " ").slice(0, 600)}`,
    );
  }
  return form;
}

function attribute(attributes: string, name: string): string | null {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? null : unescaped(value);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&#34;", '"')
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
