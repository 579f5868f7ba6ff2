import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import { linkOfferOf } from "../rules/link-offer.ts";
import type { OfferedChoices } from "../offer-choices.ts";
import type { Translate } from "../../../web/translate.ts";
import { utcText } from "../../../web/utc-text.ts";
import type { Dialog } from "./dialogs.ts";
import { spaceNames } from "./space-names.ts";
import type { PickerFields, PickerProblems } from "./picked.ts";
import { courseNameOf } from "../../../web/course-words.ts";

/** What the LMS or we would call a link to the course's classroom. */
export function suggestedTitle(t: Translate, dialog: Pick<Dialog, "title">): string {
  return dialog.title ?? t("choose.names.link");
}

/** The picker as it opens: the course's own classroom, with a column unless attendance has one. */
export function firstFields(
  t: Translate,
  dialog: Dialog,
  course: Course,
  offered: OfferedChoices,
): PickerFields {
  const points = course.policy.kind === "one-column" ? course.policy.points : 100;
  return {
    what: ["course"],
    known: "",
    space: "",
    title: suggestedTitle(t, dialog),
    column: course.policy.kind !== "no-grades" && !offered.hasAttendanceColumn,
    points: String(points),
  };
}

/** Shows the picker with these fields, and with what is to be mended. */
export function showPicker(
  view: {
    t: Translate;
    /** The sealed dialog. */
    token: string;
    dialog: Dialog;
    course: Course;
    offered: OfferedChoices;
    appUrl: string;
    fields: PickerFields;
    problems: PickerProblems;
    /** For the button that leads to the course's own page. */
    session: string;
  },
  response: Response,
): void {
  const { t, dialog, course, offered, fields, problems } = view;
  const courseName = courseNameOf(t, course);
  const folder = `${view.appUrl.replace(/\/+$/, "")}/spaces/`;
  const told = Object.entries(problems).map(
    ([field, problem]) =>
      [
        field,
        typeof problem === "string" ? t(`choose.problems.${problem}`, { folder }) : problem.said,
      ] as const,
  );
  if (told.length > 0) response.status(422);
  response.render("deep-linking/picker", {
    t,
    title: t("choose.title", { course: courseName }),
    locale: dialog.locale ?? "en",
    courseName,
    dialog: view.token,
    session: view.session,
    offer: linkOfferOf(dialog),
    sessions: offered.sessions,
    moment: (at: number) => utcText(t, at),
    spaces: spaceNames(offered.spaces),
    ownOnly: course.ownSpacesOnly === true,
    hasAttendanceColumn: offered.hasAttendanceColumn,
    fields,
    problems: Object.fromEntries(told),
  });
}
