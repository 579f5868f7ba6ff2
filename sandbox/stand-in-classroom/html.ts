export type Html = { readonly markup: string };

type Part = Html | string | number | boolean | null | readonly Part[];

/** Escapes every inserted text; null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.reduce(
    (before, text, index) => before + text + (index < parts.length ? render(parts[index] ?? null) : ""),
    "",
  );
  return { markup };
}

/** For use inside a script element. */
export function scriptJson(value: unknown): Html {
  return { markup: JSON.stringify(value).replaceAll("<", "\\u003c") };
}

function render(part: Part): string {
  if (part === null || part === false) return "";
  if (isList(part)) return part.map(render).join("");
  if (typeof part === "object") return part.markup;
  return String(part)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part);
}
