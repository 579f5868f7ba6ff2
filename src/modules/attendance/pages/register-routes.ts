import { type DecisionsApp, decideSession, sessionDecisions } from "../session-minutes.ts";
import { Router } from "express";
import { z } from "zod";
import { markSession, undoClass } from "../mark-session.ts";
import { type ReadAgain, type ReadingsApp, readAgain, readAgainSchema } from "../take-readings.ts";
import { listSessions } from "../../scheduling/list-sessions.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { type Answer, page, type PageAnswer } from "../../../web/answer.ts";
import { type After, coursePages, type ReadPage } from "../../../web/course-pages.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import { readNews } from "../../../web/page-news.ts";
import { moreText } from "../../../web/page-text.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { gridRoutes, learnerRoutes } from "./grid-routes.ts";
import { isChanged, type PostedRegister, readRegister, registerFields, wantedOf } from "./register-form.ts";
import { type AboutPressed, registerPage } from "./register-page.ts";
import { type AttendancePagesApp, type SessionShown, sessionView } from "./session-view.ts";

const registerNews = z.union([
  /** `undoes`: the mark for the class that can be taken back. */
  z.object({ kind: z.literal("saved"), learners: z.number(), undoes: z.number().nullable() }),
  z.object({ kind: z.literal("read"), outcome: readAgainSchema }),
  /** To a question about the session. */
  z.object({ kind: z.literal("decided"), decision: z.enum(sessionDecisions).nullable() }),
]);
type RegisterNews = z.infer<typeof registerNews>;

const decided = z.object({ decision: z.enum(sessionDecisions).nullable().catch(null) });
const undone = z.object({ at: z.coerce.number().int().catch(0) });

/** For instructors, with the table of all sessions and the pages of one learner. /read asks the classroom again, /decide answers a question about the session. */
export function registerRoutes(app: AttendancePagesApp & ReadingsApp & DecisionsApp): Router {
  const pages = coursePages(app);
  const fields = readRegister;
  // Two fields a learner, and one with all of them.
  const form = { maxBytes: 1024 * 1024, maxFields: 5_000 };
  const small = { maxBytes: 16 * 1024 };
  const register = pages.read(
    "/course/register",
    { who: "grades", fields, form, news: readNews(registerNews), address: registerFields },
    async ({ visit, fields: wanted, t }, news) => {
      if (wanted.eventId === "") return registerSessionsPage(app, visit, wanted.filter.page);
      if (news === null) return registerPage(app, visit, wanted);
      return registerPage(app, visit, wanted, pressedOf(t, news));
    },
  );
  pages.change("/course/register/save", { who: "corrections", fields, form }, ({ visit, fields: posted }) =>
    save(app, register, visit, posted),
  );
  pages.change(
    "/course/register/undo",
    {
      who: "corrections",
      fields: (posted) => ({ ...fields(posted), ...undone.parse(posted ?? {}) }),
      form: small,
    },
    async ({ visit, fields: { at, ...posted } }) => {
      const { course, session } = visit;
      const learners = await undoClass(app, course, session.personId, { eventId: posted.eventId, at });
      return register.after(registerFields(posted), { kind: "saved", learners, undoes: null });
    },
  );
  pages.change(
    "/course/register/read",
    { who: "corrections", fields, form: small },
    async ({ visit, fields: posted }) => {
      const outcome = await readAgain(app, visit.course, posted.eventId);
      return register.after(registerFields(posted), { kind: "read", outcome });
    },
  );
  pages.change(
    "/course/register/decide",
    {
      who: "corrections",
      fields: (posted) => ({ ...fields(posted), ...decided.parse(posted ?? {}) }),
      form: small,
    },
    async ({ visit: { course, session }, fields: { decision, ...posted } }) => {
      const done =
        decision !== null && (await decideSession(app, course, posted.eventId, decision, session.personId));
      return register.after(registerFields(posted), { kind: "decided", decision: done ? decision : null });
    },
  );
  const router = Router();
  router.use(pages.router, gridRoutes(app), learnerRoutes(app));
  return router;
}

async function save(
  app: AttendancePagesApp,
  register: ReadPage<RegisterNews>,
  visit: InstructorVisit,
  posted: PostedRegister,
): Promise<Answer | After> {
  const { act } = posted;
  if (act.kind === "more")
    return registerPage(app, visit, posted, { notSaved: { typed: posted, asked: act.personId } });
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    const { problems, reasonTooLong } = wanted;
    return registerPage(app, visit, posted, { notSaved: { typed: posted, problems, reasonTooLong } }, 422);
  }
  const { rows, everybody, reason } = wanted;
  const { eventId } = posted;
  const mark = { eventId, rows, everybody, reason };
  const done = await markSession(app, visit.course, visit.session.personId, mark);
  const saved = done.written + done.writtenInClass;
  const alone = everybody?.who === "blanks" && rows.length === 0 && done.state !== "facts" && saved > 0;
  const undoes = alone ? done.at : null;
  const missed = new Set(done.missed);
  const taken = new Set(rows.map(({ personId }) => personId));
  const typed = leftOf(posted, taken, missed);
  if (typed === null && missed.size === 0) {
    return register.after(registerFields(posted), { kind: "saved", learners: saved, undoes });
  }
  const status = missed.size > 0 ? 409 : 200;
  return registerPage(app, visit, posted, { saved, notSaved: { typed, missed } }, status);
}

/** What is not stored: rows left as they were, and the others when a button was for one row. */
function leftOf(
  posted: PostedRegister,
  taken: ReadonlySet<string>,
  missed: ReadonlySet<string>,
): PostedRegister | null {
  const rows = [...posted.rows].filter(
    ([personId, { typed, seen }]) =>
      missed.has(personId) || (posted.act.kind !== "all" && !taken.has(personId) && isChanged(typed, seen)),
  );
  return rows.length === 0 ? null : { ...posted, rows: new Map(rows) };
}

function pressedOf(t: Translate, news: RegisterNews): AboutPressed {
  switch (news.kind) {
    case "saved":
      return { saved: news.learners, undoes: news.undoes };
    case "read":
      return { notice: readAgainNotice(t, news.outcome) };
    case "decided":
      return {
        notice:
          news.decision === null
            ? { tone: "warning", text: t("register.decided.not") }
            : { tone: "good", text: t(`register.decided.${news.decision}`) },
      };
  }
}

function readAgainNotice(t: Translate, outcome: ReadAgain): Notice {
  switch (outcome.kind) {
    case "read": {
      const { listed, news, unfinished } = outcome;
      const text = t("unmatched.again.read", { listed, news });
      if (unfinished === null) return { tone: "good", text };
      return { tone: "warning", text: `${text} ${t("unmatched.again.more")} ${moreText(t, unfinished)}` };
    }
    case "failed":
      return { tone: "warning", text: t("unmatched.again.failed", { problem: outcome.problem }) };
    case "waiting":
      return { tone: "warning", text: t("unmatched.again.waiting") };
  }
}

export type RegisterSessionsPage = CourseFrame & {
  zone: string;
  sessions: SessionShown[];
  /** On the first page: the next one first. */
  coming: SessionShown[];
  page: number;
  pages: number;
};

export type RegisterLine = CourseFrame & { one: SessionShown };

const registerSessionsView = defineView<RegisterSessionsPage>("course/register-sessions");

const pageSize = 50;

async function registerSessionsPage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  wantedPage: number,
): Promise<PageAnswer> {
  const words = await courseWords(app, visit);
  const { t } = words;
  const listed = await listSessions(app, visit.course);
  const now = app.clock.now();
  const isComing = ({ startsAt, cancelled }: CourseSession) =>
    !cancelled && startsAt !== null && startsAt > now;
  const known = listed.filter((one) => !isComing(one));
  const coming = listed.filter(isComing).reverse();
  const pages = Math.max(1, Math.ceil(known.length / pageSize));
  const at = Math.min(wantedPage, pages);
  return page(registerSessionsView, {
    title: t("register.title", { course: courseNameOf(t, visit.course) }),
    zone: words.times.place(now),
    sessions: known.slice((at - 1) * pageSize, at * pageSize).map((one) => sessionView(words, one, now)),
    coming: at === 1 ? coming.slice(0, pageSize).map((one) => sessionView(words, one, now)) : [],
    page: at,
    pages,
  });
}
