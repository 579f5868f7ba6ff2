export type Html = { readonly markup: string };

export type Part = Html | string | number | boolean | null | readonly Part[];

/** Escapes every inserted text; null and false insert nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((text, index) => text + render(parts[index] ?? null)).join("") };
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
    .replaceAll('"', "&#34;")
    .replaceAll("'", "&#39;");
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part);
}

/** A table that may be wider than its page. */
export function table(name: string, titles: readonly string[], rows: readonly Html[], id?: string): Html {
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
    <table ${id === undefined ? null : html`id="${id}"`}>
      <thead>
        <tr>
          ${titles.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
