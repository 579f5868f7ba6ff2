// Imitates nothing.
import express, { type Express } from "express";
import { html, type Html, table } from "../html.ts";
import { addLink, copyCourseAndNotify, mayOpen, membersOf, publishLink, teaches } from "./lms-world.ts";
import { byFamilyName } from "./gradebook.ts";
import { coursePage, fieldOf, inCourse, page, pathValue, viewerOf } from "./pages.ts";
import type { Lms } from "./lms.ts";
import type { Course } from "./lms-records.ts";

const roleNames = {
  teacher: "Teacher",
  "non-editing-teacher": "Non-editing teacher",
  manager: "Manager",
  student: "Student",
  designer: "Designer",
  observer: "Observer",
  "test-user": "Student View",
};

/** The front page lists the person's courses; a course lists activities, and its people for teachers. */
export function mountCoursePages(app: Express, lms: Lms): void {
  const form = express.urlencoded({ extended: false });
  app.get("/", (request, response) => {
    const viewer = viewerOf(lms, request, response);
    if (viewer === null) return;
    const courses = [...lms.world.courses.values()].filter((course) => mayOpen(course, viewer.person));
    const body = html`<ul class="list">
        ${courses.map((course) => html`<li class="card"><a href="/course/${course.id}">${course.title}</a> <span class="note">${course.shortname}</span></li>`)}
      </ul>
      ${courses.length === 0 ? html`<p>You are in no course.</p>` : null}`;
    response.type("html").send(page(lms, { title: "My courses", person: viewer.person, body }));
  });

  // Moodle's own address of a course.
  app.get("/course/view.php", (request, response) => {
    response.redirect(303, `/course/${encodeURIComponent(fieldOf(request.query, "id"))}`);
  });

  const home = coursePage(lms, "open", ({ course, person }) => ({
    title: course.title,
    body: html`${navigation(lms, course)} ${activities(lms, course, teaches(course, person))}
    ${teaches(course, person) ? teacherPart(lms, course) : learnerPart(course)}`,
  }));
  app.get("/course/:id", home);

  const copy = inCourse(lms, "teach", ({ course }, _request, response) => {
    response.redirect(303, `/course/${copyCourseAndNotify(lms, course.id).id}`);
  });
  app.post("/course/:id/copy", copy);

  const publish = inCourse(lms, "teach", ({ course }, request, response) => {
    const link = course.links.find(({ id }) => id === pathValue(request, "link"));
    if (link !== undefined) publishLink(lms.world, link, true);
    response.redirect(303, `/course/${course.id}`);
  });
  app.post("/course/:id/links/:link/publish", publish);

  const add = inCourse(lms, "teach", ({ course }, request, response) => {
    const tool = lms.world.tools.get(fieldOf(request.body, "tool"));
    const title = fieldOf(request.body, "title") || (tool?.name ?? "Online classroom");
    const graded = fieldOf(request.body, "graded") === "yes";
    const usual = { url: null, custom: {}, container: "embed" as const };
    addLink(lms.world, course.id, { title, graded, ...usual, toolId: tool?.id ?? null });
    response.redirect(303, `/course/${course.id}`);
  });
  app.post("/course/:id/links", form, add);
}

/** Tools in every course's navigation. */
function navigation(lms: Lms, course: Course): Html | null {
  const tools = [...lms.world.tools.values()].filter(({ placements }) =>
    placements.includes("course_navigation"),
  );
  if (tools.length === 0) return null;
  return html`<nav aria-label="Course">
    ${tools.map(({ id, name }) => html`<a href="/course/${course.id}/external_tools/${id}">${name}</a> `)}
  </nav>`;
}

function activities(lms: Lms, course: Course, all: boolean): Html {
  const shown = course.links.filter(({ published }) => all || published);
  const items = shown.map((link) => {
    const ready = lms.world.tools.has(link.toolId ?? "");
    return html`<li class="card">
      ${
        ready
          ? html`<a href="/link/${link.id}">${link.title}</a>`
          : html`${link.title}
              <span class="note">waits for its tool: an administrator adds it under Tools</span>`
      }
      ${
        link.published
          ? null
          : html`<form method="post" action="/course/${course.id}/links/${link.id}/publish">
              <span class="note">Unpublished</span> <button class="plain">Publish</button>
            </form>`
      }
    </li>`;
  });
  return html`<h2>Activities</h2>
    <ul class="list">
      ${items}
    </ul>`;
}

function learnerPart(course: Course): Html {
  return html`<p><a class="button plain" href="/course/${course.id}/grades">My grades</a></p>`;
}

function teacherPart(lms: Lms, course: Course): Html {
  const tools = [...lms.world.tools.values()];
  return html`<div class="row">
      <a class="button plain" href="/course/${course.id}/gradebook">Gradebook</a>
      <form method="post" action="/course/${course.id}/copy">
        <button class="plain">Copy this course</button>
      </form>
    </div>
    ${tools.length === 0 ? null : addLinkForms(course, tools)} ${roster(lms, course)}`;
}

function addLinkForms(
  course: Course,
  tools: { id: string; name: string; deepLinkingUrl: string | null }[],
): Html {
  return html`<h2>Add an activity</h2>
    <form method="post" action="/course/${course.id}/links" class="card">
      <label for="tool">Tool</label>
      <select id="tool" name="tool">
        ${tools.map((tool) => html`<option value="${tool.id}">${tool.name}</option>`)}
      </select>
      <label for="title">Activity name</label>
      <input type="text" id="title" name="title" value="Online classroom" />
      <p>
        <label class="beside"
          ><input type="checkbox" name="graded" value="yes" /> Accept grades from the tool</label
        >
      </p>
      <p><button>Save</button></p>
    </form>
    ${tools
      .filter((tool) => tool.deepLinkingUrl !== null)
      .map(
        (tool) =>
          html`<p>
            <a class="button plain" href="/course/${course.id}/select-content/${tool.id}"
              >Select content in ${tool.name}</a
            >
          </p>`,
      )}`;
}

function roster(lms: Lms, course: Course): Html {
  const sectionNames = new Map(course.sections.map(({ id, name }) => [id, name]));
  const rows = membersOf(lms.world, course)
    .sort((one, other) => byFamilyName(one.person, other.person))
    .map(
      ({ enrolment, person }) =>
        html`<tr>
          <th scope="row">${person.given} ${person.family}</th>
          <td>${roleNames[enrolment.role]}</td>
          <td>${enrolment.sections.map((id) => sectionNames.get(id) ?? id).join(", ")}</td>
        </tr> `,
    );
  return html`<h2>Participants</h2>
    ${table("Participants", ["Name", "Role", "Groups"], rows)}`;
}
