import { z } from "zod";
import type { App } from "../../../app.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import type { After, CoursePages, ReadPage } from "../../../web/course-pages.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { cancelSessions, type ChangeOutcome, changeSessions } from "../change-sessions.ts";
import { linkedSpaces } from "../linked-spaces.ts";
import { maxTitleLength } from "../rules/session-title.ts";
import { findSession, type SessionRecord } from "../session-record.ts";
import { whatCanChange } from "../session-step.ts";
import { type SessionState, shownOf } from "../show-sessions.ts";
import { changeNotice } from "./change-notice.ts";
import { type SectionChoice, sectionChoices } from "./section-choices.ts";
import {
  type ChangeForm,
  changeFormAsIs,
  changeFormOf,
  type ChangeProblem,
  changeShape,
  type PostedChange,
  readChange,
} from "./session-change-form.ts";
import { rowWithSpace } from "./session-space-words.ts";
import { type SessionsNews, sessionsPage } from "./sessions-page.ts";
import type { SessionRow } from "./sessions-view.ts";

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
