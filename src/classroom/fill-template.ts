import { withoutTrailingSlashes } from "../kernel/text.ts";
import type { RouteDialect } from "./dialect.ts";

export type TemplateValues = Readonly<Record<string, unknown>>;

/** A request made from a route. `url` is absolute. */
type FilledRoute = { method: string; url: string; body: string | null; contentType: string | null };

/** What may follow a placeholder's name, after a colon. */
const modifiers: Readonly<Record<string, (value: unknown) => unknown>> = {
  encoded: (value) => (typeof value === "string" ? encodeURIComponent(value) : value),
  seconds: (value) => inUnitsOf(1_000, value),
  milliseconds: (value) => inUnitsOf(1, value),
  lowercase: (value) => (typeof value === "string" ? value.toLowerCase() : value),
  // Inside the single entry of a list, the name stands for one of its values (`fillList`).
  each: (value) => value,
};

export function placeholdersIn(template: unknown): { value: string; modifier: string | undefined }[] {
  if (typeof template === "string")
    return [...template.matchAll(placeholder)].map(([, value = "", modifier]) => ({ value, modifier }));
  if (typeof template !== "object" || template === null) return [];
  return Object.values(template).flatMap(placeholdersIn);
}

/** The lists for which a list's single entry is repeated. Inner lists have their own. */
function eachIn(entry: unknown): string[] {
  if (Array.isArray(entry)) return [];
  if (typeof entry === "object" && entry !== null) return Object.values(entry).flatMap(eachIn);
  return placeholdersIn(entry).flatMap(({ value, modifier }) => (modifier === "each" ? value : []));
}

/**
 * Fills a route with values. URL-encodes path segments and query values, once. A placeholder without a value removes its entry;
 * if no entry is left, the part around it goes, too.
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
  const address = { method: route.method, url: `${withoutTrailingSlashes(baseUrl)}${path}${search}` };
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
  if (Array.isArray(template)) return fillList(template, values);
  if (typeof template === "object" && template !== null) {
    const entries = Object.entries(template).map(([name, each]): [string, unknown] => [
      name,
      fill(each, values),
    ]);
    const filled = entries.filter(([, value]) => value !== undefined);
    return entries.length > 0 && filled.length === 0 ? undefined : Object.fromEntries(filled);
  }
  return template;
}

/** Fills a list: entry by entry, or its single entry for each value of a list. */
function fillList(template: readonly unknown[], values: TemplateValues): unknown {
  const [name] = template.flatMap(eachIn);
  const fillAll = (entries: readonly unknown[], given: TemplateValues) =>
    entries.map((each) => fill(each, given)).filter((each) => each !== undefined);
  if (name === undefined) return fillAll(template, values);
  const list = values[name] ?? undefined;
  if (list === undefined) return undefined;
  const each: readonly unknown[] = Array.isArray(list) ? list : [list];
  return each.flatMap((one) => fillAll(template, { ...values, [name]: one }));
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

/** A moment (ISO 8601) as a whole number of units. */
function inUnitsOf(milliseconds: number, value: unknown): unknown {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : Math.floor(at / milliseconds);
}

/** Encodes a body as a form. A list repeats its name; an inner object becomes outer[inner], objects in a list outer[0][inner]. */
function formOf(body: unknown): string {
  const form = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach((each: unknown, index) =>
        add(typeof each === "object" && each !== null ? `${name}[${index}]` : name, each),
      );
    } else if (typeof value === "object" && value !== null)
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

/** All values that a template may name, and which of them are lists. */
type KnownValues = { values: readonly string[]; lists: ReadonlySet<string> };

/** The mistakes in a template of a path, query or body, one sentence each. */
export function templateMistakes(template: unknown, known: KnownValues): string[] {
  return [...unknownNames(template, known), ...misplacedLists(template, known, false)];
}

function unknownNames(template: unknown, { values }: KnownValues): string[] {
  return placeholdersIn(template).flatMap(({ value, modifier }) => {
    if (!values.includes(value)) return [`{${value}} is not known here (there are ${values.join(", ")})`];
    if (modifier === undefined || modifier in modifiers) return [];
    return [`{${value}:${modifier}} is not known (there are ${Object.keys(modifiers).join(", ")})`];
  });
}

/** @param inList Whether the template is an entry of a list. */
function misplacedLists(template: unknown, known: KnownValues, inList: boolean): string[] {
  if (Array.isArray(template))
    return [
      ...listMistakes(template),
      ...template.flatMap((entry: unknown) => misplacedLists(entry, known, true)),
    ];
  if (typeof template === "object" && template !== null)
    return Object.values(template).flatMap((each) => misplacedLists(each, known, inList));
  return placeholdersIn(template).flatMap(({ value, modifier }) => {
    const isList = known.lists.has(value);
    if (modifier === "each") {
      if (!isList) return [`{${value}:each}: ${value} is one value, not a list`];
      return inList ? [] : [`{${value}:each} has its place in a list: ${example(value)}`];
    }
    if (isList && (inList || template !== `{${value}}`))
      return [`{${value}} is a whole list here; for one entry each write ${example(value)}`];
    return [];
  });
}

function listMistakes(list: readonly unknown[]): string[] {
  const names = [...new Set(list.flatMap(eachIn))];
  const [first] = names;
  if (first === undefined) return [];
  if (names.length > 1) return [`${names.map((name) => `{${name}:each}`).join(" and ")} need a list each`];
  return list.length > 1 ? [`a list with {${first}:each} has no other entry`] : [];
}

function example(value: string): string {
  return `[{ "userId": "{${value}:each}" }]`;
}
