// Imitates nothing.
import type { Request, RequestHandler, Response } from "express";
import { html, type Html } from "../html.ts";
import { plainStyle } from "../plain-style.ts";
import type { Course, Person } from "./lms-records.ts";
import { mayOpen, teaches } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import type { Session } from "./sign-in.ts";

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

/** Responds with a page that says what is wrong. */
export function sendError(lms: Lms, response: Response, status: number, message: string): void {
  const body = html`<p role="alert">${message}</p>
    <p><a href="/">Continue</a></p>`;
  response
    .status(status)
    .type("html")
    .send(page(lms, { title: "Error", person: null, body }));
}

/** Posts its fields immediately; has a button for browsers without scripts. */
export function autoPostPage(action: string, fields: Record<string, string>): string {
  return autoSubmitPage("post", action, fields);
}

/** By GET; the address's own query is sent as fields, since a form would drop it. */
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

export const style = `${plainStyle}
body { max-width: none; padding: 0; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .75rem 1rem;
  border-bottom: 1px solid var(--line); background: var(--tint); }
header nav { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-left: auto; }
.brand { font-weight: 700; text-decoration: none; color: inherit; }
.note { color: var(--soft); font-size: .875rem; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: .5rem; top: .5rem; background: var(--paper); padding: .5rem; }
button, .button { min-height: 2.5rem; padding: .35rem .9rem; border: 1px solid var(--accent); border-radius: .375rem;
  background: var(--accent); color: var(--accent-ink); cursor: pointer; text-decoration: none; display: inline-block; }
button.plain, .button.plain { background: transparent; color: var(--accent); }
input[type=text], input[type=url] { width: 100%; }
label { display: block; font-weight: 600; margin-top: .75rem; }
label.beside { display: inline-flex; gap: .5rem; align-items: center; font-weight: 400; }
.list { list-style: none; padding: 0; display: grid; gap: .5rem; }
.people { grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
td.grade { text-align: right; } td.own { background: var(--mark); }
td.grade small { display: block; color: var(--soft); text-align: left; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe.tool { width: 100%; height: max(600px, calc(100vh - 12rem)); border: 1px solid var(--line); background: #fff; }
.frame600 { max-width: 600px; }
`;

export type Exchange = { request: Request; response: Response };

export type Viewer = { person: Person; session: Session };

/** Otherwise redirects to the login page and returns null. */
export function viewerOf(lms: Lms, request: Request, response: Response): Viewer | null {
  const session = lms.sessions.of(request);
  const person = session === null ? undefined : lms.world.people.get(session.personId);
  if (session !== null && person !== undefined) return { person, session };
  response.redirect(303, `/login?next=${encodeURIComponent(request.originalUrl)}`);
  return null;
}

/** Otherwise responds to the request and returns null. */
export function courseViewerOf(
  lms: Lms,
  exchange: Exchange,
  courseId: string,
  need: "open" | "teach",
): (Viewer & { course: Course }) | null {
  const viewer = viewerOf(lms, exchange.request, exchange.response);
  if (viewer === null) return null;
  const course = lms.world.courses.get(courseId);
  const allowed =
    course !== undefined &&
    (need === "teach" ? teaches(course, viewer.person) : mayOpen(course, viewer.person));
  if (course !== undefined && allowed) return { ...viewer, course };
  if (course === undefined) sendError(lms, exchange.response, 404, "There is no such course.");
  else if (need === "open")
    sendError(lms, exchange.response, 403, "You cannot enrol yourself in this course.");
  else sendError(lms, exchange.response, 403, "Only teachers of this course may see this.");
  return null;
}

type CourseViewer = Viewer & { course: Course };

/** A route's handler for people who may open or teach the course in its path. */
export function inCourse(
  lms: Lms,
  need: "open" | "teach",
  act: (viewer: CourseViewer, request: Request, response: Response) => void,
): RequestHandler {
  return (request, response) => {
    const viewer = courseViewerOf(lms, { request, response }, pathValue(request, "id"), need);
    if (viewer !== null) act(viewer, request, response);
  };
}

/** Like `inCourse`, for a page. */
export function coursePage(
  lms: Lms,
  need: "open" | "teach",
  write: (viewer: CourseViewer) => { title: string; body: Html },
): RequestHandler {
  return inCourse(lms, need, (viewer, _request, response) => {
    response.type("html").send(page(lms, { person: viewer.person, ...write(viewer) }));
  });
}

export function pathValue(request: Request, name: string): string {
  const value = request.params[name];
  return typeof value === "string" ? value : "";
}

/** From a posted form or the query; empty when absent. */
export function fieldOf(source: unknown, name: string): string {
  if (typeof source !== "object" || source === null) return "";
  const value: unknown = Object.entries(source).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value.trim() : "";
}
