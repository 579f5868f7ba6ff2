// Imitates nothing.
import express, { type Express } from "express";
import { html, type Html, table } from "../html.ts";
import { addLink, copyCourseAndNotify, mayOpen, publishLink, teaches } from "./lms-world.ts";
import { byFamilyName } from "./gradebook.ts";
import { courseViewerOf, fieldOf, page, pathValue, viewerOf } from "./pages.ts";
import type { Lms } from "./lms.ts";
import type { Course, Person } from "./lms-records.ts";

const roleNames = {
  teacher: "Teacher",
  "non-editing-teacher": "Non-editing teacher",
  manager: "Manager",
  student: "Student",
  designer: "Designer",
  observer: "Observer",
  "test-user": "Student View",
};

/** The front page lists one's courses; a course lists activities, and its people for teachers. */
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

  app.get("/course/:id", (request, response) => {
    const viewer = courseViewerOf(lms, { request, response }, pathValue(request, "id"), "open");
    if (viewer === null) return;
    const { course, person } = viewer;
    const body = html`${navigation(lms, course)} ${activities(lms, course, teaches(course, person))}
    ${teaches(course, person) ? teacherPart(lms, course) : learnerPart(course)}`;
    response.type("html").send(page(lms, { title: course.title, person, body }));
  });

  app.post("/course/:id/copy", (request, response) => {
    const viewer = courseViewerOf(lms, { request, response }, pathValue(request, "id"), "teach");
    if (viewer === null) return;
    response.redirect(303, `/course/${copyCourseAndNotify(lms, viewer.course.id).id}`);
  });

  app.post("/course/:id/links/:link/publish", (request, response) => {
    const viewer = courseViewerOf(lms, { request, response }, pathValue(request, "id"), "teach");
    if (viewer === null) return;
    const link = viewer.course.links.find(({ id }) => id === pathValue(request, "link"));
    if (link !== undefined) publishLink(lms.world, link, true);
    response.redirect(303, `/course/${viewer.course.id}`);
  });

  app.post("/course/:id/links", form, (request, response) => {
    const viewer = courseViewerOf(lms, { request, response }, pathValue(request, "id"), "teach");
    if (viewer === null) return;
    const tool = lms.world.tools.get(fieldOf(request.body, "tool"));
    addLink(lms.world, viewer.course.id, {
      title: fieldOf(request.body, "title") || (tool?.name ?? "Online classroom"),
      graded: fieldOf(request.body, "graded") === "yes",
      url: null,
      custom: {},
      container: "embed",
      toolId: tool?.id ?? null,
    });
    response.redirect(303, `/course/${viewer.course.id}`);
  });
}

/** Tools in every course's navigation. */
function navigation(lms: Lms, course: Course): Html | null {
  const tools = [...lms.world.tools.values()].filter(
    ({ state, placements }) => state === "active" && placements.includes("course_navigation"),
  );
  if (tools.length === 0) return null;
  return html`<nav aria-label="Course">
    ${tools.map(({ id, name }) => html`<a href="/course/${course.id}/external_tools/${id}">${name}</a> `)}
  </nav>`;
}

function activities(lms: Lms, course: Course, all: boolean): Html {
  const shown = course.links.filter(({ published }) => all || published);
  const items = shown.map((link) => {
    const ready = lms.world.tools.get(link.toolId ?? "")?.state === "active";
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
    ${
      items.length === 0
        ? html`<p>Nothing here yet.</p>`
        : html`<ul class="list">
            ${items}
          </ul>`
    }`;
}

function learnerPart(course: Course): Html {
  return html`<p><a class="button plain" href="/course/${course.id}/grades">My grades</a></p>`;
}

function teacherPart(lms: Lms, course: Course): Html {
  const tools = [...lms.world.tools.values()].filter((tool) => tool.state === "active");
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
  const rows = course.enrolments
    .flatMap((enrolment) => {
      const person: Person | undefined = lms.world.people.get(enrolment.personId);
      return person === undefined ? [] : [{ enrolment, person }];
    })
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
