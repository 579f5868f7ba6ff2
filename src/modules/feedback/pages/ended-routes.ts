import { hourMs } from "../../../kernel/clock.ts";
import { createHmac } from "node:crypto";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { AccountId } from "../../../domain/account.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { findVisitByAttribution, type Visit, visitOfLaunch } from "../find-visit.ts";
import {
  type FeedbackRequest,
  type ClassFeedback,
  giveFeedback,
  mayAnswer,
  showFeedback,
} from "../give-feedback.ts";
import {
  type Attribution,
  attributionFrom,
  type FeedbackAnswer,
  maxCommentCharacters,
  ratings,
  soundAndPictureAnswers,
} from "../rules/feedback.ts";
import { isMobile, readerLocale } from "../../../web/browser-of.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { addressBelow, type AddressFields, webAddressOrNull } from "../../../web/page-address.ts";
import type { Head } from "../../../web/partials.ts";
import { minePath } from "../../../web/session-address.ts";
import type { Translate } from "../../../web/translate.ts";
import type { Session } from "../../../web/session.ts";
import { numberText, sayError } from "../../../web/page-text.ts";
import { defineView, renderView } from "../../../web/view.ts";

type EndedApp = App & { surveyTokens: SurveyTokens };

/**
 * GET /ended and /ended/<account> are where the classroom's redirect leads. Our own pages POST to them, with a session in the field "session".
 * POST /ended/feedback takes the survey. Every answer is a friendly page.
 */
export function endedRoutes(given: App): Router {
  const app = { ...given, surveyTokens: createSurveyTokens(given) };
  const router = Router();
  const form = forgiving(readForm({ maxBytes: 64 * 1024 }));
  const addresses = ["/ended", "/ended/:account"];
  router.post("/ended/feedback", form, async (request, response) => {
    await takeAnswer(app, request, response);
  });
  router.get(addresses, async (request, response) => {
    await showEnded(app, response, {
      visit: await visitByAddress(app, request, {}),
      session: null,
      ...framing(request),
    });
  });
  router.post(addresses, form, async (request, response) => {
    const fields = fieldsOf(request);
    const known = await visitBySession(app, request, fields.session);
    const visit = known === null ? await visitByAddress(app, request, fields) : known.visit;
    await showEnded(app, response, { visit, session: known?.session ?? null, ...framing(request) });
  });
  // A survey's answer loaded again by its address, or an address that was copied wrongly.
  router.get("/ended/*rest", async (request, response) => {
    await showEnded(app, response, { visit: null, session: null, ...framing(request) });
  });
  return router;
}

function framing(request: Request): { framed: boolean } {
  return { framed: ["iframe", "frame"].includes(request.get("sec-fetch-dest") ?? "") };
}

/** Treats a form that is too large or broken as empty, because the page at the end of a class shows no errors. */
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

/** An address without an account dates from before there were several. */
function accountOfPath({ params: { account } }: Request): AccountId {
  return typeof account === "string" ? account : "production";
}

async function visitByAddress(app: EndedApp, request: Request, fields: Record<string, unknown>) {
  const environment = accountOfPath(request);
  const attribution: Attribution = attributionFrom(
    { ...fields, ...request.query },
    app.attributionNamesOf(environment),
  );
  return findVisitByAttribution(app, environment, attribution, addressDigest(app, request));
}

async function visitBySession(app: EndedApp, request: Request, token: unknown) {
  try {
    const session = await app.sessions.readForEntry(token);
    const course = await app.courses.find(session.courseId);
    const names = app.attributionNamesOf(course?.environment ?? "production");
    const attribution = attributionFrom(request.query, names);
    return { session, visit: await visitOfLaunch(app, session, attribution) };
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

async function takeAnswer(app: EndedApp, request: Request, response: Response): Promise<void> {
  const fields = fieldsOf(request);
  const known = await visitBySession(app, request, fields.session);
  const page = { session: known?.session ?? null, ...framing(request) };
  const typed: FeedbackAnswer = answerSchema.parse(fields);
  let asked: FeedbackRequest | null = null;
  try {
    asked = app.surveyTokens.read(fields.survey);
    await giveFeedback(app, asked, typed, addressDigest(app, request));
    await showEnded(app, response, { ...page, ...(await visitOfAsked(app, asked)), answered: true });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    response.status(thrown.status);
    if (thrown.status === 429) response.set("Retry-After", "600");
    const mendable = thrown.status === 422 || thrown.temporary;
    const visit = asked === null || !mendable ? null : await visitOfAsked(app, asked);
    await showEnded(app, response, {
      ...page,
      ...(visit ?? { visit: null }),
      refused: sayError(app.translatorOf(readerLocale(request)), thrown),
      typed,
    });
  }
}

async function visitOfAsked(app: EndedApp, request: FeedbackRequest): Promise<Pick<EndedInput, "visit">> {
  const course = await app.courses.find(request.courseId);
  const member = await app.members.find(request.registrationId, request.courseId, request.personId);
  if (course === null || !mayAnswer(course, member) || member === null) return { visit: null };
  const { occasion, sessionId } = request;
  return { visit: { course, member, occasion, sessionId } };
}

/** A digest of the address, which is forgotten with the count. */
function addressDigest(app: App, request: Request): string {
  return createHmac("sha256", `${app.config.secretKey} places`)
    .update(request.ip ?? "")
    .digest("base64url")
    .slice(0, 22);
}

type EndedInput = {
  /** Null: shows only a way to continue, without class and question. */
  visit: Visit | null;
  /** The session of a person who comes from one of our pages. */
  session: Session | null;
  framed: boolean;
  answered?: boolean;
  refused?: string;
  typed?: FeedbackAnswer;
};

export type EndedPage = Head & Awaited<ReturnType<typeof endedModel>>;

const endedPage = defineView<EndedPage>("ended/ended");

/** Shows no name, and the course's name only to a reader with a session. The way back leads to the LMS, where they log in. */
async function showEnded(app: EndedApp, response: Response, input: EndedInput): Promise<void> {
  const { visit, session } = input;
  const t = app.translatorOf(session?.locale ?? readerLocale(response.req));
  // The page looks as the institution of the class wants, if it's known.
  if (visit !== null) await app.framing.useBranding(visit.course.registrationId);
  renderView(response, endedPage, { t, ...(await endedModel(app, t, isMobile(response.req), input)) });
}

async function endedModel(app: EndedApp, t: Translate, mobile: boolean, input: EndedInput) {
  const { visit, session, framed, answered = false, refused = null, typed = nothing } = input;
  return {
    ...courseView(t, visit, session !== null),
    /** The session with which to enter again. Null for people who came without one. */
    session: session === null || visit === null ? null : await app.sessions.issue(session),
    /** The survey's token. Null for people who aren't asked. */
    survey: !answered && visit !== null ? surveyOf(app, visit) : null,
    /** An instructor whose learners are asked. */
    teaches: visit !== null && visit.member.role === "instructor" && visit.course.asksFeedback,
    pages: visit === null ? [] : pagesOf(t, visit),
    /** Whether the session shows pages. If not, the course's address finds them. */
    whole: session !== null && session.only !== "entry",
    framed,
    /** A phone or tablet, which has no tab to close. */
    mobile,
    answered,
    refused,
    typed,
    ratings,
    soundAndPictureAnswers,
    longestComment: maxCommentCharacters,
    longestCommentText: numberText(t, maxCommentCharacters),
  };
}

/** Where to go after a class. `address` proves nothing. */
function pagesOf(t: Translate, { course, member, occasion }: Visit) {
  const event = occasion.eventId ?? "";
  const page = (to: string, text: string, fields: AddressFields = {}) => ({
    text,
    path: `/${to}`,
    fields,
    address: addressBelow(`${minePath}/${course.id}`, { to, ...fields }),
  });
  if (member.role === "learner") return [page("home", t("ended.pages.mine"))];
  return [
    event === "" ? page("grid", t("nav.attendance")) : page("register", t("ended.pages.register"), { event }),
    page("grades", t("nav.grades")),
    page("recordings", t("nav.recordings")),
  ];
}

const nothing: FeedbackAnswer = { rating: null, soundAndPicture: null, comment: null };

/** The course, without its name for people who came without a session, because an address doesn't prove who reads it. */
function courseView(
  t: Translate,
  visit: Visit | null,
  isKnown: boolean,
): { title: string; courseName: string | null; courseUrl: string | null } {
  const courseUrl = visit === null ? null : webAddressOrNull(visit.course.courseUrl);
  if (visit === null || !isKnown) return { title: t("ended.heading"), courseName: null, courseUrl };
  const courseName = courseNameOf(t, visit.course);
  return { title: t("ended.title", { course: courseName }), courseName, courseUrl };
}

function surveyOf(app: EndedApp, visit: Visit): string | null {
  const { course, member, occasion, sessionId } = visit;
  if (!mayAnswer(course, member)) return null;
  const { registrationId, courseId, personId } = member;
  return app.surveyTokens.issue({ registrationId, courseId, personId, occasion, sessionId });
}

/** Seals who is asked about which class, so only a survey that we showed can be answered, and its token reveals nobody. */
type SurveyTokens = ReturnType<typeof createSurveyTokens>;

const purpose = "survey";
const lifetimeMs = hourMs;

const tokenSchema = z.object({
  until: z.number(),
  asked: z.object({
    registrationId: z.string(),
    courseId: z.string(),
    personId: z.string(),
    occasion: z.object({ spaceId: z.string(), eventId: z.string().nullable(), heldAt: z.number() }),
    sessionId: z.string().nullable(),
  }),
});

/** Tokens under SECRET_KEY. Tokens under the previous key are still valid. */
export function createSurveyTokens({ sealer, clock }: Pick<App, "sealer" | "clock">) {
  return {
    issue: (request: FeedbackRequest): string =>
      sealer.seal(purpose, JSON.stringify({ until: clock.now() + lifetimeMs, asked: request })),
    /** @throws NamedError "survey-over" if the token is missing, forged or older than an hour. */
    read: (token: unknown): FeedbackRequest => {
      try {
        const sealed = z.string().max(4_096).parse(token);
        const { until, asked } = tokenSchema.parse(JSON.parse(sealer.open(purpose, sealed)));
        if (clock.now() <= until) return asked;
      } catch {
        // It wasn't made here.
      }
      throw refusal("survey-over", { status: 403 });
    },
  };
}

const posted = z.object({ ask: z.enum(["yes", "no"]).nullable().catch(null) });

/** /course/feedback: the answers. /asking turns the question on or off. For instructors. */
export function answersRoutes(app: App): Router {
  const pages = coursePages(app);
  pages
    .page("/course/feedback", {
      who: "settings",
      fields: posted,
      address: () => ({}),
      view: defineView<AnswersPage>("ended/answers"),
      model: answersModel,
    })
    .act("/course/feedback/asking", {
      who: "settings",
      run: async ({ visit: { course }, fields: { ask }, after }) => {
        if (ask !== null) await app.courses.askFeedback(course.id, ask === "yes");
        return after(null);
      },
    });
  return pages.router;
}

export type AnswersPage = PageOf<typeof answersModel>;

async function answersModel(
  app: App,
  { visit: { course }, words }: PageContext<"settings", z.infer<typeof posted>>,
) {
  const { t } = words;
  const classes = await showFeedback(app, course);
  return {
    title: t("ended.answers.title", { course: courseNameOf(t, course) }),
    asks: course.asksFeedback,
    /** Days are stored as their midnight in UTC. */
    day: courseTimes({ timeZone: null }, t.locale).date,
    classes: classes.map((one) => classView(words, one)),
  };
}

function classView(
  { t, number }: PageWords,
  { answers, average, soundAndPicture, moreComments, ...listed }: ClassFeedback,
) {
  const counts = (["yes", "partly", "no"] as const).filter((answer) => soundAndPicture[answer] > 0);
  return {
    ...listed,
    count: t("ended.answers.count", { count: answers, number: number(answers) }),
    averageText:
      average === null
        ? t("ended.answers.notRated")
        : t("ended.answers.averageOf", { average: number(average) }),
    worked: counts.map((answer) =>
      t(`ended.answers.soundAndPictureCounts.${answer}`, { number: number(soundAndPicture[answer]) }),
    ),
    moreText:
      moreComments === 0
        ? null
        : t("ended.answers.moreComments", { count: moreComments, number: number(moreComments) }),
  };
}
