// Imitates nothing.
import { randomBytes } from "node:crypto";
import express, { type Express, type Request, type Response } from "express";
import { html, type Html } from "../html.ts";
import { byFamilyName } from "./gradebook.ts";
import { isStaff, type Person } from "./lms-records.ts";
import { findPerson } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import { fieldOf, page, sendError } from "./pages.ts";

export type Session = {
  personId: string;
  /** Protects forms against other sites. */
  sessionKey: string;
};

export type Sessions = ReturnType<typeof createSessions>;

/** By cookie, named differently in each stand-in: cookies ignore ports. @param url On https and on this machine it may be sent in frames, as in Moodle. */
export function createSessions(cookieName: string, url: string) {
  const sessions = new Map<string, Session>();
  const { protocol, hostname } = new URL(url);
  // Browsers accept "Secure" cookies from this machine even over plain http.
  const secure = protocol === "https:" || /^(127\.[\d.]+|\[::1\]|([\w-]+\.)*localhost)$/.test(hostname);
  const idOf = (request: Request) =>
    (request.headers.cookie ?? "")
      .split(/;\s*/)
      .find((cookie) => cookie.startsWith(`${cookieName}=`))
      ?.slice(cookieName.length + 1) ?? "";
  return {
    cookieName,
    begin: (personId: string): string => {
      const id = randomBytes(16).toString("hex");
      const sessionKey = randomBytes(5).toString("hex");
      sessions.set(id, { personId, sessionKey });
      return id;
    },
    of: (request: Request): Session | null => sessions.get(idOf(request)) ?? null,
    end: (request: Request): void => {
      sessions.delete(idOf(request));
    },
    give: (response: Response, id: string): void => {
      response.cookie(cookieName, id, {
        httpOnly: true,
        path: "/",
        secure,
        sameSite: secure ? "none" : "lax",
      });
    },
  };
}

/** Logging in means picking a person, without passwords. POST /login with `user` works for programs, too. */
export function mountSignInPages(app: Express, lms: Lms): void {
  const form = express.urlencoded({ extended: false });
  app.get("/login", (request, response) => {
    const body = loginBody(lms, localPath(fieldOf(request.query, "next")));
    response.type("html").send(page(lms, { title: "Who are you today?", person: null, body }));
  });
  app.post("/login", form, (request, response) => {
    const person = findPerson(lms.world, fieldOf(request.body, "user"));
    if (person === undefined) {
      sendError(lms, response, 400, "There is no such person.");
      return;
    }
    lms.sessions.give(response, lms.sessions.begin(person.id));
    response.redirect(303, localPath(fieldOf(request.body, "next")));
  });
  app.post("/logout", (request, response) => {
    lms.sessions.end(request);
    response.redirect(303, "/login");
  });
}

/** Only a path on this site; anything else becomes the front page. */
function localPath(next: string): string {
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

function loginBody(lms: Lms, next: string): Html {
  const people = [...lms.world.people.values()];
  const staff = new Set(
    [...lms.world.courses.values()].flatMap((course) =>
      course.enrolments.filter(({ role }) => isStaff(role)).map(({ personId }) => personId),
    ),
  );
  const groups: [string, Person[]][] = [
    ["Teachers", people.filter((person) => staff.has(person.id))],
    ["Learners", people.filter((person) => !staff.has(person.id) && !person.admin)],
    ["Administrator", people.filter((person) => person.admin)],
  ];
  return html`<p>No passwords here: pick a person to be.</p>
    <form method="post" action="/login">
      <input type="hidden" name="next" value="${next}" />
      ${groups
        .filter(([, members]) => members.length > 0)
        .map(
          ([title, members]) =>
            html`<h2>${title}</h2>
              <ul class="list people">
                ${members.sort(byFamilyName).map(personButton)}
              </ul>`,
        )}
    </form>`;
}

function personButton(person: Person): Html {
  return html`<li>
    <button class="plain" name="user" value="${person.username}">${person.given} ${person.family}</button>
  </li> `;
}
