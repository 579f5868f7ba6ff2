// Imitates nothing.
import type { Lms } from "./lms.ts";
import type { Person } from "./lms-records.ts";

export type Html = { markup: string };

type Printable = string | number | Html | Html[] | null;

/** Escapes every inserted text; null prints nothing. */
export function html(strings: TemplateStringsArray, ...values: Printable[]): Html {
  return { markup: strings.map((text, index) => text + print(values[index] ?? null)).join("") };
}

function print(value: Printable): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeHtml(value);
  return Array.isArray(value) ? value.map((part) => part.markup).join("") : value.markup;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

export function page(lms: Lms, options: { title: string; person: Person | null; body: Html }): string {
  const { title, person, body } = options;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} | ${lms.world.name}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <a class="brand" href="/">${lms.world.name}</a>
          <span class="note">A stand-in for ${lms.manners.title}, for trying things out</span>
          ${person === null ? null : signedIn(person)}
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.markup;
}

function signedIn(person: Person): Html {
  return html`<nav aria-label="Account">
    ${person.admin ? html`<a href="/admin/tools">Tools</a>` : null}
    <span>${person.given} ${person.family}</span>
    <form method="post" action="/logout"><button class="plain">Log out</button></form>
  </nav>`;
}

export function errorPage(lms: Lms, message: string): string {
  return page(lms, {
    title: "Error",
    person: null,
    body: html`<p role="alert">${message}</p>
      <p><a href="/">Continue</a></p>`,
  });
}

/** Posts its fields at once; a button for browsers without scripts. */
export function autoPostPage(action: string, fields: Record<string, string>): string {
  return autoSubmitPage("post", action, fields);
}

/** By GET; the address's own query travels as fields, since a form would drop it. */
export function autoGetPage(action: string, fields: Record<string, string>): string {
  const url = new URL(action);
  const own = Object.fromEntries(url.searchParams);
  url.search = "";
  return autoSubmitPage("get", url.href, { ...own, ...fields });
}

function autoSubmitPage(method: "get" | "post", action: string, fields: Record<string, string>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Opening</title>
      </head>
      <body>
        <form id="go" method="${method}" action="${action}" enctype="application/x-www-form-urlencoded">
          ${inputs}
          <noscript><button>Continue</button></noscript>
        </form>
        <script>
          document.getElementById("go").submit();
        </script>
      </body>
    </html>`.markup;
}
