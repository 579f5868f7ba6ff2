import { createHmac } from "node:crypto";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { AccountId } from "../../../domain/account.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { findVisitByAttribution, type FindVisitDeps, type Visit, visitOfLaunch } from "../find-visit.ts";
import {
  type Asked,
  type ClassFeedback,
  giveFeedback,
  type GiveFeedbackDeps,
  mayAnswer,
  showFeedback,
} from "../give-feedback.ts";
import {
  type Attribution,
  attributionFrom,
  type AttributionNames,
  type FeedbackAnswer,
  soundAndPictureAnswers,
} from "../rules/feedback.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { Framing } from "../../../web/security-headers.ts";
import { numberText, sayError } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { type EndedInput, showEnded, type SurveyTokens } from "./ended-page.ts";

type EndedRoutesDeps = FindVisitDeps &
  GiveFeedbackDeps & {
    /** Names of parameters in the classroom's end-of-session redirect. */
    attributionNamesOf: (account: AccountId) => AttributionNames;
    sessions: Sessions;
    surveyTokens: SurveyTokens;
    translatorOf: TranslatorOf;
    framing: Pick<Framing, "wear">;
    /** For digests of browsers' addresses, which are not kept. */
    secretKey: string;
  };

/**
 * GET /ended and /ended/<account> are where the classroom's redirect leads; POST to them, with a
 * session in the field "session", is for our pages. POST /ended/feedback takes the survey. Every answer is a friendly
 * page.
 */
export function endedRoutes(deps: EndedRoutesDeps): Router {
  const router = Router();
  const form = forgiving(readForm({ maxBytes: 64 * 1024 }));
  const addresses = ["/ended", "/ended/:account"];
  router.post("/ended/feedback", form, async (request, response) => {
    await takeAnswer(deps, request, response);
  });
  router.get(addresses, async (request, response) => {
    await showEnded(deps, response, {
      visit: await visitByAddress(deps, request, {}),
      session: null,
      ...framing(request),
    });
  });
  router.post(addresses, form, async (request, response) => {
    const fields = fieldsOf(request);
    const known = await visitBySession(deps, request, fields.session);
    const visit = known === null ? await visitByAddress(deps, request, fields) : known.visit;
    await showEnded(deps, response, { visit, session: known?.session ?? null, ...framing(request) });
  });
  // A survey's answer loaded again by its address, or an address that was copied wrongly.
  router.get("/ended/*rest", async (request, response) => {
    await showEnded(deps, response, { visit: null, session: null, ...framing(request) });
  });
  return router;
}

function framing(request: Request): { framed: boolean } {
  return { framed: ["iframe", "frame"].includes(request.get("sec-fetch-dest") ?? "") };
}

/** Too large or broken forms are empty ones: nobody is to be blamed at the end of a class. */
function forgiving(parser: RequestHandler): RequestHandler {
  return (request, response, next) => {
    parser(request, response, (thrown?: unknown) => {
      if (thrown !== undefined) request.body = {};
      next();
    });
  };
}

function fieldsOf(request: Request): Record<string, unknown> {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** An address without an account is of before there were several. */
function accountOfPath({ params: { account } }: Request): AccountId {
  return typeof account === "string" ? account : "production";
}

async function visitByAddress(
  deps: EndedRoutesDeps,
  request: Request,
  fields: Record<string, unknown>,
): Promise<Visit | null> {
  const environment = accountOfPath(request);
  const attribution: Attribution = attributionFrom(
    { ...fields, ...request.query },
    deps.attributionNamesOf(environment),
  );
  return findVisitByAttribution(deps, environment, attribution, placeOf(deps, request));
}

async function visitBySession(
  deps: EndedRoutesDeps,
  request: Request,
  token: unknown,
): Promise<{ session: Session; visit: Visit | null } | null> {
  try {
    const session = await deps.sessions.readForEntry(token);
    const course = await deps.courses.find(session.courseId);
    const names = deps.attributionNamesOf(course?.environment ?? "production");
    const attribution = attributionFrom(request.query, names);
    return { session, visit: await visitOfLaunch(deps, session, attribution) };
  } catch (thrown) {
    if (thrown instanceof NamedError) return null;
    throw thrown;
  }
}

const answerSchema = z.object({
  rating: z.coerce.number().int().min(1).max(5).nullable().catch(null),
  soundAndPicture: z.enum(soundAndPictureAnswers).nullable().catch(null),
  comment: z.string().nullable().catch(null),
});

async function takeAnswer(deps: EndedRoutesDeps, request: Request, response: Response): Promise<void> {
  const fields = fieldsOf(request);
  const known = await visitBySession(deps, request, fields.session);
  const page = { session: known?.session ?? null, ...framing(request) };
  const typed: FeedbackAnswer = answerSchema.parse(fields);
  let asked: Asked | null = null;
  try {
    asked = deps.surveyTokens.read(fields.survey);
    await giveFeedback(deps, asked, typed, placeOf(deps, request));
    await showEnded(deps, response, { ...page, ...(await visitOfAsked(deps, asked)), answered: true });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    response.status(thrown.status);
    if (thrown.status === 429) response.set("Retry-After", "600");
    const mendable = thrown.status === 422 || thrown.temporary;
    const visit = asked === null || !mendable ? null : await visitOfAsked(deps, asked);
    await showEnded(deps, response, {
      ...page,
      ...(visit ?? { visit: null }),
      refused: sayError(deps.translatorOf(readerLocale(request)), thrown),
      typed,
    });
  }
}

async function visitOfAsked(deps: EndedRoutesDeps, asked: Asked): Promise<Pick<EndedInput, "visit">> {
  const course = await deps.courses.find(asked.courseId);
  const member = await deps.members.find(asked.registrationId, asked.courseId, asked.personId);
  if (course === null || !mayAnswer(course, member) || member === null) return { visit: null };
  const { occasion, sessionId } = asked;
  return { visit: { course, member, occasion, sessionId } };
}

/** A digest of the address that is forgotten with the count. */
function placeOf(deps: EndedRoutesDeps, request: Request): string {
  return createHmac("sha256", `${deps.secretKey} places`)
    .update(request.ip ?? "")
    .digest("base64url")
    .slice(0, 22);
}

export type AnswersPage = CourseFrame & {
  asks: boolean;
  /** A day of UTC. */
  day: (at: number) => string;
  /** A moment (ms) in the course's zone. */
  moment: (at: number) => string;
  zone: string;
  classes: (ClassFeedback & ReturnType<typeof inWords>)[];
};

const answersView = defineView<AnswersPage>("ended/answers");

const shape = z.object({ ask: z.enum(["yes", "no"]).nullable().catch(null) });

/** /course/feedback: the answers; /asking turns the question on or off. For instructors. */
export function answersRoutes(app: App): Router {
  const pages = coursePages(app);
  const settings = { who: "settings", fields: (posted: unknown) => shape.parse(posted) } as const;
  const answers = pages.read("/course/feedback", settings, ({ visit }) => answersPage(app, visit));
  pages.change("/course/feedback/asking", settings, async ({ visit: { course }, fields: { ask } }) => {
    const asks = ask === null ? course.asksFeedback : ask === "yes";
    await app.courses.askFeedback(course.id, asks);
    return answers.after({}, null);
  });
  return pages.router;
}

async function answersPage(app: App, { session, course }: InstructorVisit): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const classes = await showFeedback(app, course);
  const times = courseTimes(course, t.locale);
  return page(answersView, {
    title: t("ended.answers.title", { course: courseNameOf(t, course) }),
    asks: course.asksFeedback,
    day: courseTimes({ timeZone: null }, t.locale).date,
    moment: times.text,
    zone: times.place(app.clock.now()),
    classes: classes.map((one) => ({ ...one, ...inWords(t, one) })),
  });
}

function inWords(t: Translate, { answers, average, soundAndPicture, moreComments }: ClassFeedback) {
  const number = (value: number) => numberText(t, value);
  const counts = (["yes", "partly", "no"] as const).filter((answer) => soundAndPicture[answer] > 0);
  return {
    count: t("ended.answers.count", { count: answers, number: number(answers) }),
    averageText:
      average === null
        ? t("ended.answers.notRated")
        : t("ended.answers.averageOf", { average: number(average) }),
    worked: counts.map((answer) => ({
      answer,
      text: t(`ended.answers.soundAndPictureCounts.${answer}`, { number: number(soundAndPicture[answer]) }),
    })),
    moreText:
      moreComments === 0
        ? null
        : t("ended.answers.moreComments", { count: moreComments, number: number(moreComments) }),
  };
}
