import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { cutTo, showsNothing, wholeNumber } from "../../../kernel/text.ts";
import {
  cancelSessions,
  type ChangeOutcome,
  changeSessions,
  type SessionChange,
  whatCanChange,
} from "../change-sessions.ts";
import { maxTitleLength } from "../rules/course-session.ts";
import { isDate, isTime } from "../rules/recurrence.ts";
import { wallTimeOf } from "../rules/time-zone.ts";
import { linkedSpaces } from "../session-owners.ts";
import { factsOf, findSession, type SessionRecord, type SessionState, shownOf } from "../show-sessions.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import type { After, CoursePages, ReadPage } from "../../../web/course-pages.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import { readNews } from "../../../web/page-news.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { type SessionsNews, sessionsPage } from "./sessions-page.ts";
import {
  changeNotice,
  rowWithSpace,
  type SectionChoice,
  sectionChoices,
  type SessionRow,
} from "./sessions-view.ts";

export type SessionChangePage = CourseFrame & {
  notice: Notice | null;
  row: SessionRow;
  state: SessionState;
  found: boolean;
  zone: string;
  zoneName: string;
  revision: number;
  form: ChangeForm;
  can: ReturnType<typeof whatCanChange>;
  series: boolean;
  problems: Partial<Record<ChangeProblem, string>>;
  sections: SectionChoice[];
  answers: readonly StuckAnswer[];
};

export type SessionScope = { t: Translate; id: string; scope: ChangeForm["scope"] };

type StuckAnswer = "there" | "again" | "drop" | "dropFailed" | "retry";

const sessionView = defineView<SessionChangePage>("course/session-change");

const changeNews = z.object({ what: z.literal("saved"), changed: z.number(), notHere: z.number() });
type ChangeNews = z.infer<typeof changeNews>;

/** For instructors; also changes or cancels more of a series. */
export function addSessionPage(app: App, pages: CoursePages, list: ReadPage<SessionsNews>): void {
  const path = "/course/sessions/change";
  const settings = { who: "settings", fields: (posted: unknown) => changeShape.parse(posted) } as const;
  pages.change(
    path,
    { ...settings, takes: ({ act }) => act !== "show" },
    async ({ visit, fields }): Promise<PageAnswer | After> => {
      const { course, session } = visit;
      const record = await findSession(app, course, fields.key);
      if (record === null) return list.after({}, { what: "gone" }, 404);
      if (fields.revision !== revisionOf(record))
        return sessionPage(app, visit, record, { form: changeFormOf(fields), isStale: true });
      if (fields.act === "cancel") {
        const seen = { record, scope: fields.scope };
        const outcome = await cancelSessions(app, course, session.personId, seen);
        return list.after({}, { what: "cancelled", ...outcome });
      }
      const saved = await save(app, visit, record, fields);
      if (saved.problems !== null)
        return sessionPage(app, visit, record, { form: changeFormOf(fields), problems: saved.problems });
      return shown.after({ key: fields.key }, { what: "saved", ...saved.outcome });
    },
  );
  const options = { ...settings, news: readNews(changeNews), address: ({ key }: PostedChange) => ({ key }) };
  const shown = pages.read(path, options, async ({ visit, fields }, news) => {
    const record = await findSession(app, visit.course, fields.key);
    if (record !== null) return sessionPage(app, visit, record, { news });
    const gone = await sessionsPage(app, visit, { next: 1, past: 1 }, { what: "gone" });
    return { ...gone, status: 404 };
  });
}

function revisionOf({ plan }: SessionRecord): number {
  return plan?.revision ?? 0;
}

async function save(
  app: App,
  { course, session }: InstructorVisit,
  record: SessionRecord,
  posted: PostedChange,
): Promise<{ outcome: ChangeOutcome; problems: null } | { outcome: null; problems: ChangeProblem[] }> {
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const known = sections.map(({ lmsSectionId }) => lmsSectionId);
  const read = readChange(changeFormOf(posted), changeFormAsIs(record, course), course, known);
  if (read.change === null) return { outcome: null, problems: read.problems };
  const seen = { record, scope: posted.scope };
  const outcome = await changeSessions(app, course, session.personId, seen, read.change);
  return { outcome, problems: null };
}

/** @param shown `form`: as typed, when refused: stale (`isStale`), or some fields are wrong. */
async function sessionPage(
  app: App,
  visit: InstructorVisit,
  record: SessionRecord,
  shown: {
    news?: ChangeNews | null;
    form?: ChangeForm;
    isStale?: boolean;
    problems?: readonly ChangeProblem[];
  },
): Promise<PageAnswer> {
  const { course } = visit;
  const words = await courseWords(app, visit);
  const { t, times } = words;
  const { news = null, form = changeFormAsIs(record, course), isStale = false, problems = [] } = shown;
  const session = shownOf(record);
  return page(
    sessionView,
    {
      title: t("sessions.title", { course: courseNameOf(t, course) }),
      notice: isStale
        ? { tone: "warning", text: t("sessions.change.stale") }
        : news === null
          ? null
          : savedNotice(t, news),
      row: rowWithSpace(words, await linkedSpaces(app, course), course, session),
      state: session.state,
      found: session.found,
      zone: t("sessions.zone.shown", { zone: times.place(app.clock.now()) }),
      zoneName: times.zone,
      revision: revisionOf(record),
      form,
      can: whatCanChange(app, record),
      series: session.series !== null && session.series !== "found",
      problems: Object.fromEntries(
        problems.map((name) => [name, t(`sessions.plan.problems.${name}`, { most: maxTitleLength })]),
      ),
      sections: sectionChoices(words, form.section),
      answers: answersAbout(session.state),
    },
    isStale ? { status: 409 } : problems.length > 0 ? { status: 422 } : {},
  );
}

function savedNotice(t: Translate, { changed, notHere }: ChangeOutcome): Notice {
  if (changed === 0 && notHere === 0) return { tone: "good", text: t("sessions.change.nothing") };
  return changeNotice(t, { changed, notHere }, "saved");
}

function answersAbout(state: SessionState): readonly StuckAnswer[] {
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
const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]);

const changeShape = z.object({
  key: z.string().max(300).catch(""),
  act: z.enum(["show", "save", "cancel"]).catch("show"),
  scope: z.enum(["one", "following", "all"]).catch("one"),
  /** As seen: another instructor may have changed it since. */
  revision: z.coerce.number().int().catch(-1),
  title: text,
  /** Without fields for times where they cannot be changed. */
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

function changeFormAsIs(record: SessionRecord, course: Course): ChangeForm {
  const { sectionIds = [], counts = true } = record.plan ?? {};
  return {
    title: factsOf(record).title ?? "",
    ...timesAsAre(record, course),
    who: sectionIds.length === 0 ? "all" : "some",
    section: [...sectionIds],
    scope: "one",
    counts,
  };
}

function timesAsAre(record: SessionRecord, course: Course): Pick<ChangeForm, "date" | "time" | "minutes"> {
  const { startsAt, endsAt } = factsOf(record);
  if (startsAt === null) return { date: "", time: "", minutes: "" };
  const minutes = endsAt === null ? "" : String(Math.round((endsAt - startsAt) / 60_000));
  return { ...wallTimeOf(startsAt, zoneOf(course)), minutes };
}

function zoneOf({ timeZone }: Course): string {
  return timeZone ?? "UTC";
}

/** What differs from what is stored, or what is wrong. @param known The ids of the course's sections. */
function readChange(
  typed: ChangeForm,
  stored: ChangeForm,
  course: Course,
  known: readonly string[],
): { change: SessionChange; problems: null } | { change: null; problems: ChangeProblem[] } {
  const sectionIds = sectionsOf(typed, stored, known);
  const problems = [...problemsOf(typed, sectionIds), ...problemsOfTimes(typed)];
  if (problems.length > 0) return { change: null, problems };
  const isRenamed = typed.title !== stored.title && !showsNothing(typed.title);
  const { counts } = typed;
  return {
    change: {
      ...(isRenamed ? { title: typed.title } : {}),
      ...timesOf(typed, stored, zoneOf(course)),
      own: { sectionIds, counts },
    },
    problems: null,
  };
}

/** Where no section is known there was none to choose, so nothing changes. */
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

function hasTimes({ date, time, minutes }: ChangeForm): boolean {
  return date !== "" || time !== "" || minutes !== "";
}

function problemsOfTimes(typed: ChangeForm): ChangeProblem[] {
  if (!hasTimes(typed)) return [];
  const minutes = wholeNumber(typed.minutes);
  return [
    ...(isDate(typed.date) ? [] : (["date"] as const)),
    ...(isTime(typed.time) ? [] : (["time"] as const)),
    ...(minutes >= 1 && minutes <= 1_440 ? [] : (["minutes"] as const)),
  ];
}

/** A date is one session's only. */
function timesOf(typed: ChangeForm, stored: ChangeForm, timeZone: string): Pick<SessionChange, "times"> {
  const fields = ["date", "time", "minutes"] as const;
  if (!hasTimes(typed) || fields.every((name) => typed[name] === stored[name])) return {};
  const date = typed.scope === "one" ? typed.date : null;
  return { times: { date, time: typed.time, minutes: wholeNumber(typed.minutes), timeZone } };
}
