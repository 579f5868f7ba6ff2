import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import {
  decideRecording,
  type DecideRecordingDeps,
  decideRule,
  longestTitle,
  type RecordingAct,
} from "../decide-recording.ts";
import { lookAgain, type LookAgainDeps, untilLooked } from "../look-again.ts";
import { openRecording, type OpenRecordingDeps, recordingParts } from "../open-recording.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type MyVisit, myVisit, type MyVisitDeps } from "../../../web/my-visit.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { type RecordingTextDeps, renderRecordingText, sendRecordingText } from "./recordings-text-page.ts";
import { type RecordingsPageDeps, renderRecordings } from "./recordings-page.ts";
import { type Notice, pageFrame } from "../../scheduling/pages/session-page.ts";

/** A recording lies elsewhere than expected: people are told before they go. */
export type LeavingPage = CourseFrame & { teaches: boolean; address: string; origin: string };

const leavingPage = defineView<LeavingPage>("course/recordings-leave");

export type RecordingsRoutesDeps = MyVisitDeps &
  RecordingsPageDeps &
  DecideRecordingDeps &
  LookAgainDeps &
  OpenRecordingDeps &
  RecordingTextDeps;

/** So long a page waits for the classroom (ms); what takes longer is told as being under way. */
const lookPatience = 3_000;

const posted = z.object({
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
  recording: z.string().max(300).catch(""),
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .catch(-1),
  act: z.enum(["publish", "hide", "describe"]).nullable().catch(null),
  title: z
    .string()
    .transform((text) => text.slice(0, longestTitle))
    .catch(""),
  place: z.string().max(300).catch("by-time"),
  choice: z.enum(["hidden", "published"]).nullable().catch(null),
  part: z.enum(recordingParts).catch("recording"),
});
type Posted = z.infer<typeof posted>;

/**
 * POST /course/recordings: the recordings of a course, all of them for instructors and the published ones for learners.
 * /look has the classroom asked again, /decide publishes, hides or describes one, /rule says what happens to new ones: for
 * instructors. /open leads to a recording, /text shows what came of it as text and /text.txt is the file of that, for whoever may
 * see the recording.
 */
export function recordingsRoutes(deps: RecordingsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  const show = (visit: MyVisit, { page }: Posted, notice: Notice | null, response: Response) =>
    renderRecordings(deps, visit, { page, notice }, response);

  router.post("/course/recordings", form, async (request, response) => {
    const { visit, fields } = await visitOf(deps, request);
    if (visit.member.role === "instructor") await lookAgain(deps, visit.course, "unread");
    await show(visit, fields, null, response);
  });
  router.post("/course/recordings/look", form, async (request, response) => {
    const { visit, fields } = await instructorOf(deps, request);
    await lookAgain(deps, visit.course);
    await untilLooked(deps, visit.course, lookPatience);
    await show(visit, fields, null, response);
  });
  router.post("/course/recordings/decide", form, async (request, response) => {
    const { visit, fields } = await instructorOf(deps, request);
    await show(visit, fields, await decided(deps, visit, fields, response), response);
  });
  router.post("/course/recordings/rule", form, async (request, response) => {
    const { visit, fields } = await instructorOf(deps, request);
    const { revision, choice } = fields;
    const by = visit.session.personId;
    const done = choice !== null && (await decideRule(deps, visit.course, { revision, by }, choice));
    await show(visit, fields, noticeOf(deps, visit, done ? "rule" : "conflict", response), response);
  });
  router.post("/course/recordings/text", form, async (request, response) => {
    const { visit, fields } = await visitOf(deps, request);
    await renderRecordingText(deps, visit, fields, response);
  });
  router.post("/course/recordings/text.txt", form, async (request, response) => {
    const { visit, fields } = await visitOf(deps, request);
    await sendRecordingText(deps, visit, fields, response);
  });
  router.post("/course/recordings/open", form, async (request, response) => {
    const { visit, fields } = await visitOf(deps, request);
    const { recording: recordingId, part } = fields;
    const opened = await openRecording(deps, visit.course, visit.member, { recordingId, part });
    if (!opened.strange) {
      response.redirect(303, opened.address);
      return;
    }
    const t = deps.translatorOf(visit.session.locale);
    renderView(response, leavingPage, {
      ...(await pageFrame(deps, visit, t)),
      title: t("recordings.leaving.title"),
      teaches: visit.member.role === "instructor",
      address: opened.address,
      origin: new URL(opened.address).origin,
    });
  });
  return router;
}

async function visitOf(deps: MyVisitDeps, request: Request): Promise<{ visit: MyVisit; fields: Posted }> {
  return { visit: await myVisit(deps, request), fields: posted.parse(request.body ?? {}) };
}

async function instructorOf(deps: MyVisitDeps, request: Request) {
  const visited = await visitOf(deps, request);
  if (visited.visit.member.role === "instructor") return visited;
  throw refusal("instructors-only", { status: 403 });
}

/** Carries out what was pressed. @returns what is said about it. */
async function decided(
  deps: RecordingsRoutesDeps,
  visit: MyVisit,
  fields: Posted,
  response: Response,
): Promise<Notice | null> {
  const act = actOf(fields);
  if (act === null) return null;
  const { recording: recordingId, revision } = fields;
  const said = { publish: "published", hide: "hidden", describe: "described" } as const;
  try {
    const by = visit.session.personId;
    const done = await decideRecording(deps, visit.course, { recordingId, revision, by }, act);
    return noticeOf(deps, visit, done ? said[act.what] : "conflict", response);
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 404) throw thrown;
    return noticeOf(deps, visit, "unknown", response);
  }
}

function actOf({ act, title, place }: Posted): RecordingAct | null {
  if (act !== "describe") return act === null ? null : { what: act };
  if (place.startsWith("event:")) return { what: act, title, eventId: place.slice("event:".length) };
  return { what: act, title, eventId: place === "none" ? null : "by-time" };
}

type Said = "published" | "hidden" | "described" | "rule" | "conflict" | "unknown";
const statuses: Partial<Record<Said, number>> = { conflict: 409, unknown: 404 };

function noticeOf(
  deps: Pick<RecordingsRoutesDeps, "translatorOf">,
  { session }: MyVisit,
  said: Said,
  response: Response,
): Notice {
  const status = statuses[said];
  if (status !== undefined) response.status(status);
  const text = deps.translatorOf(session.locale)(`recordings.notice.${said}`);
  return { tone: status === undefined ? "good" : "warning", text };
}
