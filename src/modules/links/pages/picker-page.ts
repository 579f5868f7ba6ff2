import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import { type LinkOffer, linkOfferOf } from "../rules/link-offer.ts";
import type { OfferedChoices } from "../offer-choices.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { Dialog } from "./dialogs.ts";
import { spaceNames } from "./space-names.ts";
import type { PickerFields, PickerProblems } from "./picked.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";

export type PickerPage = CourseFrame &
  Pick<OfferedChoices, "sessions" | "hasAttendanceColumn"> & {
    /** The sealed dialog. */
    dialog: string;
    offer: LinkOffer;
    /** A time (ms) in the course's zone. */
    moment: (at: number) => string;
    /** Null where no session has a time. */
    zone: string | null;
    spaces: ReturnType<typeof spaceNames>;
    /** The institution lets courses use only Spaces that were made for them. */
    ownOnly: boolean;
    fields: PickerFields;
    /** By field, in the order of the list above the form. */
    problems: Readonly<Record<keyof PickerProblems, string | null>>;
    mend: string[];
  };

const pickerPage = defineView<PickerPage>("deep-linking/picker");

export function suggestedTitle(t: Translate, dialog: Pick<Dialog, "title">): string {
  return dialog.title ?? t("choose.names.link");
}

/** The course's own classroom, with a column unless attendance has one. */
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

export function showPicker(
  view: {
    t: Translate;
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
  const times = courseTimes(course, t.locale);
  const starts = offered.sessions.flatMap(({ startsAt }) => (startsAt === null ? [] : [startsAt]));
  const folder = `${withoutTrailingSlashes(view.appUrl)}/spaces/`;
  const said = (problem: NonNullable<PickerProblems[keyof PickerProblems]>) =>
    typeof problem === "string" ? t(`choose.problems.${problem}`, { folder }) : problem.said;
  const saidOf = (field: keyof PickerProblems) => {
    const problem = problems[field];
    return problem === undefined ? null : said(problem);
  };
  const mend = Object.values(problems).map(said);
  if (mend.length > 0) response.status(422);
  renderView(response, pickerPage, {
    t,
    title: t("choose.title", { course: courseName }),
    courseName,
    dialog: view.token,
    session: view.session,
    offer: linkOfferOf(dialog),
    sessions: offered.sessions,
    moment: times.text,
    zone: starts.length === 0 ? null : t("sessions.zone.shown", { zone: times.place(Math.max(...starts)) }),
    spaces: spaceNames(offered.spaces),
    ownOnly: course.ownSpacesOnly === true,
    hasAttendanceColumn: offered.hasAttendanceColumn,
    fields,
    problems: {
      what: saidOf("what"),
      space: saidOf("space"),
      title: saidOf("title"),
      points: saidOf("points"),
    },
    mend,
  });
}
