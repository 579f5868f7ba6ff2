import type { Response } from "express";
import { z } from "zod";
import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import type { Course } from "../../../domain/course.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";
import type { OfferedChoices, NewLink } from "../links.ts";
import { columnPointsFrom, type LinkOffer, linkOfferOf } from "../rules/link-offer.ts";
import { spaceIdFrom } from "../../spaces/rules/space-right.ts";
import type { KnownSpace } from "../../spaces/space-rights.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { Dialog } from "./hand-over.ts";

export type PickerPage = ReturnType<typeof pickerModel>;

const pickerPage = defineView<PickerPage>("deep-linking/picker");

export function suggestedTitle(t: Translate, dialog: Pick<Dialog, "title">): string {
  return dialog.title ?? t("product.name");
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

type Picker = {
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
};

export function showPicker(picker: Picker, response: Response): void {
  if (Object.keys(picker.problems).length > 0) response.status(422);
  renderView(response, pickerPage, pickerModel(picker));
}

function pickerModel(view: Picker) {
  const { t, dialog, course, offered, fields, problems } = view;
  const courseName = courseNameOf(t, course);
  const times = courseTimes(course, t.locale);
  const starts = offered.sessions.flatMap(({ startsAt }) => (startsAt === null ? [] : [startsAt]));
  const folder = `${withoutTrailingSlashes(view.appUrl)}/spaces/`;
  const sentenceFor = (problem: NonNullable<PickerProblems[keyof PickerProblems]>) =>
    typeof problem === "string" ? t(`choose.problems.${problem}`, { folder }) : problem.sentence;
  const sentenceAt = (field: keyof PickerProblems) => {
    const problem = problems[field];
    return problem === undefined ? null : sentenceFor(problem);
  };
  return {
    t,
    title: t("choose.title", { course: courseName }),
    courseName,
    /** The sealed dialog. */
    dialog: view.token,
    session: view.session,
    offer: linkOfferOf(dialog),
    sessions: offered.sessions,
    /** A time (ms) in the course's zone. */
    moment: times.text,
    /** Null if no session has a time. */
    zone: starts.length === 0 ? null : t("sessions.zone.shown", { zone: times.place(Math.max(...starts)) }),
    spaces: spaceNames(offered.spaces),
    /** The institution lets courses use only Spaces that were made for them. */
    ownOnly: course.ownSpacesOnly === true,
    hasAttendanceColumn: offered.hasAttendanceColumn,
    fields,
    /** By field, in the order of the list above the form. */
    problems: {
      what: sentenceAt("what"),
      space: sentenceAt("space"),
      title: sentenceAt("title"),
      points: sentenceAt("points"),
    },
    mend: Object.values(problems).map(sentenceFor),
  };
}

const many = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value = []) => (typeof value === "string" ? [value] : value));
const text = z.string().max(2_000).catch("");

/** Missing fields are empty. */
const formSchema = z.object({
  act: text,
  what: many,
  known: text,
  space: text,
  title: text,
  column: text,
  points: text,
});

export type PickerFields = {
  /** "course", "space" and "session:<event id>". */
  what: string[];
  /** Id of one of the person's other Spaces, or "". */
  known: string;
  /** An address or id as typed. */
  space: string;
  title: string;
  column: boolean;
  points: string;
};

/** Keys of sentences, or the sentence itself. */
export type PickerProblems = Partial<
  Record<
    "what" | "space" | "title" | "points",
    | "nothing"
    | "onlyOne"
    | "session"
    | "noSpace"
    | "spaceUnreadable"
    | "tooLong"
    | "points"
    | { sentence: string }
  >
>;

type LinkNames = { course: string; space: string; session: (eventId: string) => string };

const maxTitleLength = 255;
const sessionPrefix = "session:";

export function pickerFieldsFrom(body: unknown): { fields: PickerFields; cancelled: boolean } {
  const form = formSchema.parse(typeof body === "object" && body !== null ? body : {});
  const { act, what, known, space, title, points } = form;
  return {
    cancelled: act === "cancel",
    fields: { what: [...new Set(what)], known, space, title, column: form.column !== "", points },
  };
}

/** Checks without looking anything up. @param appUrl The address of the account's web application. */
export function problemsOf(fields: PickerFields, offer: LinkOffer, appUrl: string): PickerProblems {
  const { what } = fields;
  return {
    ...(what.length === 0 ? { what: "nothing" as const } : {}),
    ...(what.length > 1 && !offer.several ? { what: "onlyOne" as const } : {}),
    ...(what.includes("space") ? spaceProblem(fields, appUrl) : {}),
    ...(fields.title.trim().length > maxTitleLength ? { title: "tooLong" as const } : {}),
    ...(offer.columns && fields.column && columnPointsFrom(fields.points) === null
      ? { points: "points" as const }
      : {}),
  };
}

function spaceProblem(fields: PickerFields, appUrl: string): PickerProblems {
  const typed = spaceNamedIn(fields);
  if (typed === "") return { space: "noSpace" };
  return spaceIdFrom(typed, appUrl) === null ? { space: "spaceUnreadable" } : {};
}

/** What was typed takes precedence over the list. */
function spaceNamedIn({ space, known }: PickerFields): string {
  return space.trim() === "" ? known : space.trim();
}

/** The name of what the link opens replaces an unchanged title. With several links, it replaces any title. */
export function newLinks(
  fields: PickerFields,
  options: { offer: LinkOffer; names: LinkNames; suggested: string; text: string | null },
): NewLink[] {
  const { offer, names, suggested } = options;
  const typed = fields.title.trim();
  const own = fields.what.length === 1 && typed !== "" && typed !== suggested ? typed : null;
  const points = offer.columns && fields.column ? columnPointsFrom(fields.points) : null;
  const text = fields.what.length === 1 ? options.text : null;
  return fields.what.map((what) => {
    if (what === "course") {
      return { opens: { kind: "course-space" }, title: own ?? names.course, text, points };
    }
    if (what === "space") {
      return {
        opens: { kind: "space", typed: spaceNamedIn(fields) },
        title: own ?? names.space,
        text,
        points,
      };
    }
    const eventId = what.startsWith(sessionPrefix) ? what.slice(sessionPrefix.length) : "";
    return { opens: { kind: "session", eventId }, title: own ?? names.session(eventId), text, points };
  });
}

/** By their courses, for a list to choose from. */
export function spaceNames(spaces: readonly KnownSpace[]): { spaceId: string; name: string }[] {
  return spaces.map(({ spaceId, course }) => ({ spaceId, name: course.title || course.label || spaceId }));
}

/** Title and day, because lessons often have the same title. */
export function sessionName(
  t: Translate,
  session: Pick<ClassroomEvent, "title" | "startsAt"> | null,
  { timeZone }: Pick<Course, "timeZone">,
): string {
  const title = session?.title ?? t("sessions.untitled");
  if (session?.startsAt == null) return title;
  return `${title}, ${courseTimes({ timeZone }, t.locale).date(session.startsAt)}`;
}
