import { createHmac } from "node:crypto";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import {
  type Attribution,
  attributionFrom,
  type AttributionNames,
  type FeedbackAnswer,
  soundAndPictureAnswers,
} from "../rules/feedback.ts";
import { readForm } from "../../../kernel/read-form.ts";
import type { AccountId } from "../../../domain/account.ts";
import { findVisitByAttribution } from "../find-visit-by-attribution.ts";
import { type FindVisitDeps, type Visit, visitOfLaunch } from "../find-visit.ts";
import { type Asked, giveFeedback, type GiveFeedbackDeps, mayAnswer } from "../give-feedback.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import type { Framing } from "../../../web/framing.ts";
import { sayError } from "../../../web/page-text.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { showEnded, type EndedInput } from "./ended-page.ts";
import type { SurveyTokens } from "./survey-tokens.ts";

export type EndedRoutesDeps = FindVisitDeps &
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
