// Imitates nothing.
import express, { type Express } from "express";
import { html, type Html, table } from "../html.ts";
import { findGrade, type Gradebook, gradebookOf, overrideGrade, teachersTime } from "./gradebook.ts";
import { coursePage, fieldOf, inCourse } from "./pages.ts";
import type { Lms } from "./lms.ts";
import { columnsOf } from "./lms-world.ts";
import { isReviewable } from "./launch-pages.ts";

/** For teachers (as a table, and as JSON for programs); a learner sees their own report. */
export function mountGradebookPages(app: Express, lms: Lms): void {
  const form = express.urlencoded({ extended: false });
  const gradebook = coursePage(lms, "teach", ({ course }) => ({
    title: `Gradebook of ${course.shortname}`,
    body: gradebookBody(lms, gradebookOf(lms.world, course.id, lms.quirks)),
  }));
  app.get("/course/:id/gradebook", gradebook);

  const override = inCourse(lms, "teach", ({ course }, request, response) => {
    const columnId = fieldOf(request.body, "column");
    const personId = fieldOf(request.body, "person");
    const typed = fieldOf(request.body, "grade");
    const column = lms.world.columns.get(columnId);
    if (column?.courseId === course.id && Number.isFinite(Number(typed))) {
      const comment = fieldOf(request.body, "comment") || null;
      const value = typed === "" ? null : Number(typed);
      overrideGrade(lms.world, { columnId, personId, value, comment }, teachersTime(lms));
    }
    response.redirect(303, `/course/${course.id}/gradebook`);
  });
  app.post("/course/:id/gradebook", form, override);

  const ownGrades = coursePage(lms, "open", ({ course, person }) => {
    const rows = columnsOf(lms.world, course.id)
      .filter((column) => !column.hidden && !(lms.quirks.openEdx && column.resourceLinkId === null))
      .map((column) => {
        const grade = findGrade(lms.world, column.id, person.id);
        return html`<tr>
          <th scope="row">${column.label}</th>
          <td class="grade">${shown(grade?.final ?? null)}</td>
          <td>0–${column.scoreMaximum}</td>
          <td>${grade?.feedback ?? ""}</td>
        </tr> `;
      });
    const body = html`<p><a href="/course/${course.id}">Back to ${course.shortname}</a></p>
      ${table("Grades", ["Item", "Grade", "Range", "Feedback"], rows)}`;
    return { title: "My grades", body };
  });
  app.get("/course/:id/grades", ownGrades);
}

function shown(value: number | null): string {
  return value === null ? "-" : value.toFixed(2);
}

function gradebookBody(lms: Lms, gradebook: Gradebook): Html {
  const { courseId, columns, learners } = gradebook;
  return html`<p><a href="/course/${courseId}">Back to the course</a></p>
    <div class="scroll" tabindex="0" role="region" aria-label="Gradebook">
      <table>
        <caption>
          A marked grade was typed in by a teacher and stays, whatever the tool sends.
        </caption>
        <thead>
          <tr>
            <th scope="col">Learner</th>
            ${columns.map(
              (column) =>
                html`<th scope="col">
                  ${column.label}
                  <span class="note"
                    >of
                    ${column.scoreMaximum}${column.locked ? ", locked" : ""}${column.published ? "" : ", unpublished"}</span
                  >
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${learners.map(
            (learner) =>
              html`<tr>
                <th scope="row">${learner.name}</th>
                ${learner.grades.map((grade) => cell(lms, learner, grade))}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    ${columns.length === 0 ? html`<p>No columns yet.</p>` : overrideForm(gradebook)}`;
}

type Learner = Gradebook["learners"][number];

function cell(lms: Lms, learner: Learner, grade: Learner["grades"][number]): Html {
  const review = isReviewable(lms, grade.columnId)
    ? html`<small
        ><a href="/review/${grade.columnId}/${learner.personId}" aria-label="Review ${learner.name}"
          >Review</a
        ></small
      >`
    : null;
  return html`<td class="${grade.overridden ? "grade own" : "grade"}">
    ${grade.excused ? "EX" : shown(grade.value)}${grade.attempts > 1 ? html`<small>${grade.attempts} attempts</small>` : null}${grade.comment === null ? null : html`<small>${grade.comment}</small>`}${review}
  </td>`;
}

function overrideForm({ courseId, columns, learners }: Gradebook): Html {
  return html`<h2>Type in a grade</h2>
    <form method="post" action="/course/${courseId}/gradebook" class="card">
      <label for="person">Learner</label>
      <select id="person" name="person">
        ${learners.map((learner) => html`<option value="${learner.personId}">${learner.name}</option>`)}
      </select>
      <label for="column">Column</label>
      <select id="column" name="column">
        ${columns.map((column) => html`<option value="${column.id}">${column.label}</option>`)}
      </select>
      <label for="grade">Grade (empty gives it back to the tool)</label>
      <input type="text" inputmode="decimal" id="grade" name="grade" />
      <label for="comment">Feedback</label>
      <input type="text" id="comment" name="comment" />
      <p><button>Save</button></p>
    </form>`;
}
