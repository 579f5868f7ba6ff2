import type { Response } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Visit } from "../find-visit.ts";
import { type Asked, mayAnswer } from "../give-feedback.ts";
import {
  type FeedbackAnswer,
  maxCommentCharacters,
  ratings,
  soundAndPictureAnswers,
} from "../rules/feedback.ts";
import { isMobile, readerLocale } from "../../../web/browser-of.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { Head } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";

type EndedPageApp = Pick<App, "sessions" | "translatorOf" | "framing"> & { surveyTokens: SurveyTokens };

export type EndedInput = {
  /** Null: a way to continue, without class and question. */
  visit: Visit | null;
  /** Of a person from a page of ours. */
  session: Session | null;
  framed: boolean;
  answered?: boolean;
  refused?: string;
  typed?: FeedbackAnswer;
};

export type EndedPage = Head & Awaited<ReturnType<typeof endedModel>>;

const endedPage = defineView<EndedPage>("ended/ended");

/** Shows no name, and the course's only to a reader with a session. The way back leads to the LMS, where they log in. */
export async function showEnded(app: EndedPageApp, response: Response, input: EndedInput): Promise<void> {
  const { visit, session } = input;
  const t = app.translatorOf(session?.locale ?? readerLocale(response.req));
  await wearOf(app, visit);
  renderView(response, endedPage, { t, ...(await endedModel(app, t, isMobile(response.req), input)) });
}

async function endedModel(app: EndedPageApp, t: Translate, mobile: boolean, input: EndedInput) {
  const { visit, session, framed, answered = false, refused = null, typed = nothing } = input;
  return {
    ...classShown(t, visit, session !== null),
    /** To enter again with; null for people who came without one. */
    session: session === null || visit === null ? null : await app.sessions.issue(session),
    /** The survey's token; null for people who are not asked. */
    survey: !answered && visit !== null ? surveyOf(app, visit) : null,
    /** An instructor, whose learners are asked. */
    teaches: visit !== null && visit.member.role === "instructor" && visit.course.asksFeedback,
    framed,
    /** A phone or tablet: there is no tab to close. */
    mobile,
    answered,
    refused,
    typed,
    ratings,
    soundAndPictureAnswers,
    longestComment: maxCommentCharacters,
  };
}

/** The page looks as the institution of the class wants, where that is known. */
async function wearOf(app: EndedPageApp, visit: Visit | null): Promise<void> {
  if (visit !== null) await app.framing.wear(visit.course.registrationId);
}

const nothing: FeedbackAnswer = { rating: null, soundAndPicture: null, comment: null };

/** The course without its name for people who came without a session: an address is no proof of who reads it. */
function classShown(
  t: Translate,
  visit: Visit | null,
  isKnown: boolean,
): { title: string; courseName: string | null; courseUrl: string | null } {
  const courseUrl = visit === null ? null : webAddressOrNull(visit.course.courseUrl);
  if (visit === null || !isKnown) return { title: t("ended.heading"), courseName: null, courseUrl };
  const courseName = visit.course.title || visit.course.label || t("product.name");
  return { title: t("ended.title", { course: courseName }), courseName, courseUrl };
}

function surveyOf(app: EndedPageApp, visit: Visit): string | null {
  const { course, member, occasion, sessionId } = visit;
  if (!mayAnswer(course, member)) return null;
  const { registrationId, courseId, personId } = member;
  return app.surveyTokens.issue({ registrationId, courseId, personId, occasion, sessionId });
}

/** Seals who is asked about what: only a survey we have shown can be answered, and nobody reads in it who it is for. */
export type SurveyTokens = {
  issue: (asked: Asked) => string;
  /** @throws NamedError "survey-over" when the token is missing, forged or older than an hour. */
  read: (token: unknown) => Asked;
};

const purpose = "survey";
const lifetimeMs = 3_600_000;

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

/** Tokens under SECRET_KEY; ones under the previous key still hold. */
export function createSurveyTokens({ sealer, clock }: Pick<App, "sealer" | "clock">): SurveyTokens {
  return {
    issue: (asked) => sealer.seal(purpose, JSON.stringify({ until: clock.now() + lifetimeMs, asked })),
    read: (token) => {
      try {
        const sealed = z.string().max(4_096).parse(token);
        const { until, asked } = tokenSchema.parse(JSON.parse(sealer.open(purpose, sealed)));
        if (clock.now() <= until) return asked;
      } catch {
        // It was not made here.
      }
      throw refusal("survey-over", { status: 403 });
    },
  };
}
