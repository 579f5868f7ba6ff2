import type { RouteDialect } from "./dialect.ts";

/** What an operation puts into a route's placeholders. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** A request made from a route; `url` is absolute. */
export type FilledRoute = { method: string; url: string; body: string | null };

/**
 * Puts values into a route. Path segments and query values are URL-encoded once here; a placeholder without a
 * value (null or undefined) takes its whole entry away.
 */
export function fillRoute(baseUrl: string, route: RouteDialect, values: TemplateValues): FilledRoute {
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(textOf(values[name])),
  );
  const query = new URLSearchParams();
  for (const [name, template] of Object.entries(route.query)) {
    const value = fill(template, values);
    if (value !== undefined) query.set(name, textOf(value));
  }
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  return {
    method: route.method,
    url: `${baseUrl.replace(/\/+$/, "")}${path}${search}`,
    body: route.body === null ? null : JSON.stringify(fill(route.body, values) ?? {}),
  };
}

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
  const only = /^\{(\w+)(:encoded)?\}$/.exec(template);
  if (only !== null) return valueOf(values, only[1] ?? "", only[2] !== undefined);
  return template.replace(/\{(\w+)(:encoded)?\}/g, (_match, name: string, encoded?: string) =>
    textOf(valueOf(values, name, encoded !== undefined)),
  );
}

function valueOf(values: TemplateValues, name: string, encoded: boolean): unknown {
  const value = values[name] ?? undefined;
  return encoded && typeof value === "string" ? encodeURIComponent(value) : value;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
