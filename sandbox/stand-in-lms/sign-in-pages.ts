// Imitates nothing.
import type { Express } from "express";
import express from "express";
import { byFamilyName } from "./gradebook.ts";
import { errorPage, html, page } from "./html.ts";
import type { Html } from "./html.ts";
import type { Lms } from "./lms.ts";
import { isStaff } from "./lms-seed.ts";
import { findPerson } from "./lms-world.ts";
import type { Person } from "./lms-records.ts";
import { fieldOf } from "./page-access.ts";

/** Logging in is picking a person, without passwords. POST /login with `user` works for programs too. */
export function mountSignInPages(app: Express, lms: Lms): void {
  const form = express.urlencoded({ extended: false });
  app.get("/login", (request, response) => {
    const body = loginBody(lms, localPath(fieldOf(request.query, "next")));
    response.type("html").send(page(lms, { title: "Who are you today?", person: null, body }));
  });
  app.post("/login", form, (request, response) => {
    const person = findPerson(lms.world, fieldOf(request.body, "user"));
    if (person === undefined) {
      response.status(400).type("html").send(errorPage(lms, "There is no such person."));
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
  const anyPublic = [...lms.world.courses.values()].some((course) => course.public);
  const groups: [string, Person[]][] = [
    ["Teachers", people.filter((person) => staff.has(person.id))],
    ["Learners", people.filter((person) => !staff.has(person.id) && !person.admin && !person.anonymous)],
    ["Not logged in", anyPublic ? people.filter((person) => person.anonymous) : []],
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
