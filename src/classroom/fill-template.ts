import type { RouteDialect } from "./dialect.ts";

/** What an operation puts into a route's placeholders. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** A request made from a route; `url` is absolute. */
export type FilledRoute = {
  method: string;
  url: string;
  body: string | null;
  /** Of the body; null without one. */
  contentType: string | null;
};

/** What may follow a placeholder's name after a colon. */
export const modifiers: Readonly<Record<string, (value: unknown) => unknown>> = {
  encoded: (value) => (typeof value === "string" ? encodeURIComponent(value) : value),
  seconds: (value) => inUnitsOf(1_000, value),
  milliseconds: (value) => inUnitsOf(1, value),
};

/** The placeholders of a template, however deep they stand. */
export function placeholdersIn(template: unknown): { value: string; modifier: string | undefined }[] {
  if (typeof template === "string")
    return [...template.matchAll(placeholder)].map(([, value = "", modifier]) => ({ value, modifier }));
  if (typeof template !== "object" || template === null) return [];
  return Object.values(template).flatMap(placeholdersIn);
}

/**
 * Puts values into a route. Path segments and query values are URL-encoded once here; a placeholder without a
 * value (null or undefined) takes its whole entry away.
 */
export function fillRoute(baseUrl: string, route: RouteDialect, values: TemplateValues): FilledRoute {
  const path = route.path.replace(placeholder, (_match, name: string, modifier?: string) =>
    encodeURIComponent(textOf(valueOf(values, name, modifier))),
  );
  const query = new URLSearchParams();
  for (const [name, template] of Object.entries(route.query)) {
    const value = fill(template, values);
    if (value !== undefined) query.set(name, textOf(value));
  }
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  const address = { method: route.method, url: `${baseUrl.replace(/\/+$/, "")}${path}${search}` };
  if (route.body === null) return { ...address, body: null, contentType: null };
  const body = fill(route.body, values) ?? {};
  return route.encoding === "form"
    ? { ...address, body: formOf(body), contentType: "application/x-www-form-urlencoded" }
    : { ...address, body: JSON.stringify(body), contentType: "application/json" };
}

const placeholder = /\{(\w+)(?::(\w+))?\}/g;
const onlyPlaceholder = /^\{(\w+)(?::(\w+))?\}$/;

function fill(template: unknown, values: TemplateValues): unknown {
  if (typeof template === "string") return fillText(template, values);
  if (Array.isArray(template)) {
    return template.map((each) => fill(each, values)).filter((each) => each !== undefined);
  }
  if (typeof template === "object" && template !== null) {
    const entries = Object.entries(template).map(([name, each]): [string, unknown] => [
      name,
      fill(each, values),
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return template;
}

function fillText(template: string, values: TemplateValues): unknown {
  const only = onlyPlaceholder.exec(template);
  if (only !== null) return valueOf(values, only[1] ?? "", only[2]);
  return template.replace(placeholder, (_match, name: string, modifier?: string) =>
    textOf(valueOf(values, name, modifier)),
  );
}

function valueOf(values: TemplateValues, name: string, modifier: string | undefined): unknown {
  const value = values[name] ?? undefined;
  const change = modifier === undefined ? undefined : modifiers[modifier];
  return change === undefined ? value : change(value);
}

/** A moment given as ISO 8601, as a whole number. */
function inUnitsOf(milliseconds: number, value: unknown): unknown {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : Math.floor(at / milliseconds);
}

/** As a web form writes it: a list repeats its name, an object inside is named outer[inner]. */
function formOf(body: unknown): string {
  const form = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) add(name, each);
    else if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value)) add(name === "" ? inner : `${name}[${inner}]`, each);
    else form.append(name, textOf(value));
  };
  add("", body);
  return form.toString();
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
