import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { cutTo, showsNothing, wholeNumber, isDate } from "../../../kernel/text.ts";
import {
  cancelSessions,
  changeSessions,
  restoreSessions,
  type SessionChange,
  whatCanChange,
} from "../change-sessions.ts";
import { maxTitleLength, sameSections } from "../rules/course-session.ts";
import { isTime } from "../rules/recurrence.ts";
import { wallTimeOf } from "../rules/time-zone.ts";
import { linkedSpaces } from "../session-owners.ts";
import {
  factsOf,
  findSession,
  type SessionRecord,
  type SessionState,
  timetableSession,
} from "../show-sessions.ts";
import type { CoursePages } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { formStatus, type PageContext, showPage } from "../../../web/declared-page.ts";
import { readNews } from "../../../web/page-news.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { firstPages, type SessionsLink, sessionsList } from "./sessions-page.ts";
import { changeNotice, rowWithSpace, sectionChoices } from "./sessions-view.ts";
import { texts } from "./sessions-plan-pages.ts";

export type SessionChangePage = PageOf<typeof sessionModel>;

export type SessionScope = { t: Translate; id: string; scope: ChangeForm["scope"] };

const sessionPage = { view: defineView<SessionChangePage>("course/session-change"), model: sessionModel };

const changeNews = z.object({
  what: z.enum(["saved", "cancelled", "restored"]),
  changed: z.number(),
  notHere: z.number(),
});

/** For instructors. Can also change or cancel more sessions of the series. */
export function addSessionPage(app: App, pages: CoursePages, list: SessionsLink): void {
  const path = "/course/sessions/change";
  const settings = { who: "settings", fields: changeShape } as const;
  pages.change(path, { ...settings, takes: ({ act }) => act !== "show" }, async (context) => {
    const { course, session } = context.visit;
    const { key, act, scope, revision } = context.fields;
    const record = await findSession(app, course, key);
    if (record === null) return list.after({}, { what: "gone" }, 404);
    const form = changeFormOf(context.fields);
    if (revision !== revisionOf(record))
      return showPage(app, context, sessionPage, { record, form, isStale: true });
    const seen = { record, scope };
    if (act === "restore") {
      const outcome = await restoreSessions(app, course, session.personId, seen);
      return page.after({ key }, { what: "restored", ...outcome });
    }
    if (act === "cancel") {
      const news = {
        what: "cancelled",
        ...(await cancelSessions(app, course, session.personId, seen)),
      } as const;
      // A session that the classroom never had is gone. Others can be restored on their page.
      const isGone = (await findSession(app, course, key)) === null;
      return isGone ? list.after({}, news) : page.after({ key }, news);
    }
    const sections = await app.sections.listOf(course.registrationId, course.id);
    const known = sections.map(({ lmsSectionId }) => lmsSectionId);
    const { change, problems } = readChange(form, formOfSession(record, course), course, known);
    if (change === null) return showPage(app, context, sessionPage, { record, form, problems });
    const outcome = await changeSessions(app, course, session.personId, seen, change);
    return page.after({ key }, { what: "saved", ...outcome });
  });
  const options = { ...settings, news: readNews(changeNews), address: ({ key }: PostedChange) => ({ key }) };
  const page = pages.read(path, options, async (context, news) => {
    const record = await findSession(app, context.visit.course, context.fields.key);
    if (record !== null) return showPage(app, context, sessionPage, { record, news });
    const gone = await showPage(app, { ...context, fields: firstPages }, sessionsList, { what: "gone" });
    return { ...gone, status: 404 };
  });
}

function revisionOf({ plan }: SessionRecord): number {
  return plan?.revision ?? 0;
}

/** `form`: what was typed, if it was refused because another instructor changed the session (`isStale`) or fields are wrong. */
type OneSession = {
  record: SessionRecord;
  news?: z.infer<typeof changeNews> | null;
  form?: ChangeForm;
  isStale?: boolean;
  problems?: readonly ChangeProblem[];
};

async function sessionModel(
  app: App,
  { visit: { course }, words }: Pick<PageContext<"settings">, "visit" | "words">,
  about: OneSession,
) {
  const { t } = words;
  const { record, form = formOfSession(record, course), isStale = false, problems = [] } = about;
  const session = timetableSession(record);
  return {
    httpStatus: formStatus(isStale, problems.length > 0),
    title: t("sessions.title", { course: courseNameOf(t, course) }),
    notice: noticeOf(t, about),
    row: rowWithSpace(words, await linkedSpaces(app, course), course, session),
    state: session.state,
    revision: revisionOf(record),
    form,
    can: whatCanChange(app, record),
    series: session.series !== null && session.series !== "found",
    problems: problemTexts(t, problems),
    sections: sectionChoices(words, form.section),
    answers: answersAbout(session.state),
  };
}

function problemTexts(t: Translate, problems: readonly ChangeProblem[]) {
  return Object.fromEntries(
    problems.map((name) => [name, t(`sessions.plan.problems.${name}`, { most: maxTitleLength })]),
  );
}

function noticeOf(t: Translate, { isStale = false, news = null }: OneSession): Notice | null {
  if (isStale) return { tone: "warning", text: t("sessions.change.stale") };
  return news === null ? null : changeNotice(t, news, news.what);
}

function answersAbout(state: SessionState): readonly ("there" | "again" | "drop" | "dropFailed" | "retry")[] {
  switch (state) {
    case "unknown":
      return ["there", "again", "drop"];
    case "assumed":
      return ["again", "drop"];
    case "failed":
      return ["retry", "dropFailed"];
    case "not-changed":
      return ["retry"];
    default:
      return [];
  }
}

const text = z
  .string()
  .transform((value) => cutTo(value.trim(), maxTitleLength + 1))
  .catch("");
const changeShape = z.object({
  key: z.string().max(300).catch(""),
  act: z.enum(["show", "save", "cancel", "restore"]).catch("show"),
  scope: z.enum(["one", "following", "all"]).catch("one"),
  /** The revision the page showed, because another instructor may have changed the session since. */
  revision: z.coerce.number().int().catch(-1),
  title: text,
  /** The page has no time fields if the times can't be changed. */
  date: text,
  time: text,
  minutes: text,
  who: z.enum(["all", "some"]).catch("all"),
  section: texts,
  counts: z.string().optional().catch(undefined),
});

type PostedChange = z.infer<typeof changeShape>;

type ChangeForm = Pick<PostedChange, "title" | "date" | "time" | "minutes" | "who" | "section" | "scope"> & {
  counts: boolean;
};

type ChangeProblem = "title" | "date" | "time" | "minutes" | "sections";

function changeFormOf(posted: PostedChange): ChangeForm {
  const { title, date, time, minutes, who, section, scope, counts } = posted;
  return { title, date, time, minutes, who, section, scope, counts: counts !== undefined };
}

/** The form with the session's present facts. */
export function formOfSession(record: SessionRecord, course: Pick<Course, "timeZone">): ChangeForm {
  const { title, sectionIds } = factsOf(record);
  return {
    title: title ?? "",
    ...currentTimes(record, course),
    who: sectionIds.length === 0 ? "all" : "some",
    section: [...sectionIds],
    scope: "one",
    counts: record.plan?.counts ?? true,
  };
}

function currentTimes(
  record: SessionRecord,
  course: Pick<Course, "timeZone">,
): Pick<ChangeForm, "date" | "time" | "minutes"> {
  const { startsAt, endsAt } = factsOf(record);
  if (startsAt === null) return { date: "", time: "", minutes: "" };
  const minutes = endsAt === null ? "" : String(Math.round((endsAt - startsAt) / 60_000));
  return { ...wallTimeOf(startsAt, zoneOf(course)), minutes };
}

function zoneOf({ timeZone }: Pick<Course, "timeZone">): string {
  return timeZone ?? "UTC";
}

/** Returns what differs from the stored facts, or what is wrong. @param known The ids of the course's sections. */
export function readChange(
  typed: ChangeForm,
  stored: ChangeForm,
  course: Pick<Course, "timeZone">,
  known: readonly string[],
): { change: SessionChange; problems: null } | { change: null; problems: ChangeProblem[] } {
  const sectionIds = sectionsOf(typed, stored, known);
  const problems = [...problemsOf(typed, sectionIds), ...problemsOfTimes(typed, stored)];
  if (problems.length > 0) return { change: null, problems };
  const isRenamed = typed.title !== stored.title && !showsNothing(typed.title);
  return {
    change: {
      ...(isRenamed ? { title: typed.title } : {}),
      ...timesOf(typed, stored, zoneOf(course)),
      // Another session of the series may be for other sections, or excluded from grades.
      own: {
        ...(sameSections(sectionIds, stored.section) ? {} : { sectionIds }),
        ...(typed.counts === stored.counts ? {} : { counts: typed.counts }),
      },
    },
    problems: null,
  };
}

/** If no section is known, the form offered none, so nothing changes. */
function sectionsOf(typed: ChangeForm, stored: ChangeForm, known: readonly string[]): string[] {
  if (known.length === 0) return stored.section;
  return typed.who === "all" ? [] : typed.section.filter((id) => known.includes(id));
}

function problemsOf(typed: ChangeForm, sectionIds: readonly string[]): ChangeProblem[] {
  return [
    ...(typed.title.length > maxTitleLength ? (["title"] as const) : []),
    ...(typed.who === "some" && sectionIds.length === 0 ? (["sections"] as const) : []),
  ];
}

const timeFields = ["date", "time", "minutes"] as const;

/** Whether the times are as shown, or weren't shown. A session without an end has no minutes. */
function keepsTimes(typed: ChangeForm, stored: ChangeForm): boolean {
  return (
    timeFields.every((name) => typed[name] === "") || timeFields.every((name) => typed[name] === stored[name])
  );
}

function problemsOfTimes(typed: ChangeForm, stored: ChangeForm): ChangeProblem[] {
  if (keepsTimes(typed, stored)) return [];
  const minutes = wholeNumber(typed.minutes);
  return [
    ...(isDate(typed.date) ? [] : (["date"] as const)),
    ...(isTime(typed.time) ? [] : (["time"] as const)),
    ...(minutes >= 1 && minutes <= 1_440 ? [] : (["minutes"] as const)),
  ];
}

/** A date applies to a single session only. */
function timesOf(typed: ChangeForm, stored: ChangeForm, timeZone: string): Pick<SessionChange, "times"> {
  if (keepsTimes(typed, stored)) return {};
  const date = typed.scope === "one" ? typed.date : null;
  return { times: { date, time: typed.time, minutes: wholeNumber(typed.minutes), timeZone } };
}
