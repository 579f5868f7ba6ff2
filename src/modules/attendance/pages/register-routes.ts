import { Router } from "express";
import { z } from "zod";
import { refusal } from "../../../kernel/refusal.ts";
import { onPage } from "../../../kernel/lists.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { type PageContext, showPage } from "../../../web/declared-page.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { listSessions } from "../../scheduling/list-sessions.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { answeredWord, answerWord } from "../learner-words.ts";
import { markSession, undoClass } from "../mark-session.ts";
import { talliesOfSessions } from "../show-grid.ts";
import { decideSession, type DecisionsApp, sessionDecisions } from "../session-minutes.ts";
import { readAgain, type ReadingsApp } from "../attendance-readings.ts";
import { gridRoutes } from "./grid-routes.ts";
import { isChanged, type PostedRegister, readRegister, registerFields, requestOf } from "./register-form.ts";
import { recordedView, registerModel, registerNews, type RegisterPage } from "./register-page.ts";
import { allSaved, type AttendancePagesApp, type SessionView, sessionView } from "./session-view.ts";

/** Buttons outside the form: undo a mark, or answer a question. */
const buttons = z.object({
  at: z.coerce.number().int().catch(0),
  decision: z.enum(sessionDecisions).nullable().catch(null),
  word: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(answeredWord)
    .nullable()
    .catch(null),
});

/** The register and its form, for instructors, with the table of all sessions and a learner's pages. */
export function registerRoutes(app: AttendancePagesApp & ReadingsApp & DecisionsApp): Router {
  const pages = coursePages(app);
  pages
    .page("/course/register", {
      who: "grades",
      fields: (posted) => ({ ...readRegister(posted), ...buttons.parse(posted ?? {}) }),
      // Two fields for each learner, and one with all of them.
      form: { maxBytes: 1024 * 1024, maxFields: 5_000 },
      address: registerFields,
      news: registerNews,
      view: defineView<RegisterPage>("course/register"),
      instead: (context) =>
        context.fields.eventId === "" ? showPage(app, context, registerSessions, null) : null,
      model: registerModel,
    })
    .act("/course/register/save", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: posted, after, again }) => {
        const { act, eventId } = posted;
        const unsaved = { ...allSaved, typed: posted };
        if (act.kind === "more")
          return again(
            { kind: "unsaved", learners: null, notSaved: { ...unsaved, asked: act.personId } },
            200,
          );
        const request = requestOf(posted);
        if (request.kind === "refused")
          return again({ kind: "unsaved", learners: null, notSaved: { ...unsaved, ...request } }, 422);
        const { rows, everybody, reason } = request;
        const mark = await markSession(app, course, session.personId, { eventId, rows, everybody, reason });
        const learners = mark.written + mark.writtenInClass;
        const missed = new Set(mark.missed);
        const typed = leftOf(posted, new Set(rows.map(({ personId }) => personId)), missed);
        if (typed !== null || missed.size > 0) {
          const notSaved = { ...allSaved, typed, missed };
          return again({ kind: "unsaved", learners, notSaved }, missed.size > 0 ? 409 : 200);
        }
        const alone = everybody?.who === "blanks" && rows.length === 0;
        const undoes = alone && mark.state !== "facts" && learners > 0 ? mark.at : null;
        return after({ kind: "saved", learners, undoes });
      },
    })
    .act("/course/register/undo", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields, after }) => {
        const learners = await undoClass(app, course, session.personId, fields);
        return after({ kind: "saved", learners, undoes: null });
      },
    })
    // Asks the classroom again.
    .act("/course/register/read", {
      who: "corrections",
      run: async ({ visit: { course }, fields: { eventId }, after }) =>
        after({ kind: "read", outcome: await readAgain(app, course, eventId) }),
    })
    .act("/course/register/answer", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { word }, after }) => {
        if (word === null) throw refusal("bad-request", { status: 400 });
        const isAnswered = await answerWord(app, course, session.personId, word);
        return after({ kind: "answered", isAnswered });
      },
    })
    .act("/course/register/decide", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { eventId, decision }, after }) => {
        const done =
          decision !== null && (await decideSession(app, course, eventId, decision, session.personId));
        return after({ kind: "decided", decision: done ? decision : null });
      },
    });
  const router = Router();
  router.use(pages.router, gridRoutes(app));
  return router;
}

/** What wasn't stored: rows that failed, and the other rows if the button was for a single one. */
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

export type RegisterSessionsPage = PageOf<typeof sessionsModel>;

export type RegisterLine = CourseFrame & {
  one: SessionView & { recorded: ReturnType<typeof recordedView> | null };
};

const pageSize = 50;

async function sessionsModel(
  app: AttendancePagesApp,
  { visit: { course }, fields: { filter }, words }: PageContext<"grades", PostedRegister>,
) {
  const { t, now, number } = words;
  const isComing = ({ startsAt, cancelled }: CourseSession) =>
    !cancelled && startsAt !== null && startsAt > now;
  const listed = await listSessions(app, course);
  const tallyOf = await talliesOfSessions(app, course, listed);
  const known = listed.filter((one) => !isComing(one));
  const open = known.filter(({ eventId, cancelled }) => !cancelled && (tallyOf.get(eventId)?.blank ?? 0) > 0);
  const coming = listed.filter(isComing).reverse().slice(0, pageSize);
  const onlyOpen = filter.status === "blank";
  const { rows, page, pages } = onPage(onlyOpen ? open : known, filter.page, pageSize);
  const lineOf = (session: CourseSession) => {
    const tally = tallyOf.get(session.eventId);
    const recorded = tally === undefined ? null : recordedView(t, tally);
    return { ...sessionView(words, session), recorded };
  };
  return {
    title: t("register.title", { course: courseNameOf(t, course) }),
    sessions: rows.map(lineOf),
    chips:
      open.length === 0 && !onlyOpen
        ? []
        : [
            { text: t("common.allSessions"), count: number(known.length), show: "", current: !onlyOpen },
            { text: t("register.incomplete"), count: number(open.length), show: "blank", current: onlyOpen },
          ],
    show: onlyOpen ? "blank" : "",
    /** Coming sessions on the first page of all, the next one first. */
    coming:
      page === 1 && !onlyOpen ? coming.map((one) => ({ ...sessionView(words, one), recorded: null })) : [],
    page,
    pages,
  };
}

const registerSessions = {
  view: defineView<RegisterSessionsPage>("course/register-sessions"),
  model: sessionsModel,
};
