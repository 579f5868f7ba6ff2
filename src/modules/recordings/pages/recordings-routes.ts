import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { page, redirect } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { MyVisit } from "../../../web/visits.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { readNews } from "../../../web/page-news.ts";
import { decideRecording, decideRule, maxTitleLength, type RecordingAct } from "../decide-recording.ts";
import { lookAgain, untilLooked } from "../look-again.ts";
import { openRecording, recordingParts } from "../open-recording.ts";
import { recordingsPage } from "./recordings-page.ts";
import { recordingTextFile, recordingTextPage } from "./recordings-text-page.ts";
import { cutTo } from "../../../kernel/text.ts";

/** A recording is elsewhere than expected: people are warned. */
export type LeavingPage = CourseFrame & { teaches: boolean; address: string; origin: string };

const leavingView = defineView<LeavingPage>("course/recordings-leave");

/** For the classroom (ms); then the page says that it is under way. */
const refreshWaitMs = 3_000;

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
    .transform((text) => cutTo(text, maxTitleLength))
    .catch(""),
  place: z.string().max(300).catch("by-time"),
  choice: z.enum(["hidden", "published"]).nullable().catch(null),
  part: z.enum(recordingParts).catch("recording"),
});
type Posted = z.infer<typeof posted>;

/** Instructors see and change all (/look, /decide, /rule), learners open the published ones. */
export function recordingsRoutes(app: App): Router {
  const pages = coursePages(app);
  const fields = (form: unknown) => posted.parse(form);
  const member = { who: "member", fields } as const;
  const teaching = { who: "teaching", fields } as const;

  const list = pages.read(
    "/course/recordings",
    { ...member, news: readNews(saidSchema), address: ({ page: at }) => addressFields(at) },
    async ({ visit, fields: wanted }, said) => {
      if (visit.member.role === "instructor") await lookAgain(app, visit.course, "unread");
      return recordingsPage(app, visit, {
        page: wanted.page,
        notice: said === null ? null : noticeOf(app, visit, said),
        ruleSaved: said === "rule",
      });
    },
  );
  pages.change("/course/recordings/look", teaching, async ({ visit, fields: { page: at } }) => {
    await lookAgain(app, visit.course);
    await untilLooked(app, visit.course, refreshWaitMs);
    return list.after(addressFields(at), null);
  });
  pages.change("/course/recordings/decide", teaching, async ({ visit, fields: wanted }) => {
    const said = await decided(app, visit, wanted);
    return list.after(addressFields(wanted.page), said, said === null ? 200 : statuses[said]);
  });
  pages.change("/course/recordings/rule", teaching, async ({ visit, fields: wanted }) => {
    const { revision, choice } = wanted;
    const by = visit.session.personId;
    const done = choice !== null && (await decideRule(app, visit.course, { revision, by }, choice));
    const said = done ? "rule" : "conflict";
    return list.after(addressFields(wanted.page), said, statuses[said]);
  });
  pages.read("/course/recordings/text", member, ({ visit, fields: wanted }) =>
    recordingTextPage(app, visit, wanted),
  );
  pages.read("/course/recordings/text.txt", member, ({ visit, fields: wanted }) =>
    recordingTextFile(app, visit, wanted),
  );
  pages.read("/course/recordings/open", member, async ({ visit, fields: wanted, t }) => {
    const { recording: recordingId, part } = wanted;
    const opened = await openRecording(app, visit.course, visit.member, { recordingId, part });
    if (!opened.strange) return redirect(opened.address);
    return page(leavingView, {
      title: t("recordings.leaving.title"),
      teaches: visit.member.role === "instructor",
      address: opened.address,
      origin: new URL(opened.address).origin,
    });
  });
  return pages.router;
}

const addressFields = (at: number) => ({ page: String(at) });

/** Carries out what was pressed. @returns what is said about it. */
async function decided(app: App, visit: MyVisit, fields: Posted): Promise<Said | null> {
  const act = actOf(fields);
  if (act === null) return null;
  const { recording: recordingId, revision } = fields;
  const said = { publish: "published", hide: "hidden", describe: "described" } as const;
  try {
    const by = visit.session.personId;
    const done = await decideRecording(app, visit.course, { recordingId, revision, by }, act);
    return done ? said[act.what] : "conflict";
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 404) throw thrown;
    return "unknown";
  }
}

function actOf({ act, title, place }: Posted): RecordingAct | null {
  if (act !== "describe") return act === null ? null : { what: act };
  if (place.startsWith("event:")) return { what: act, title, eventId: place.slice("event:".length) };
  return { what: act, title, eventId: place === "none" ? null : "by-time" };
}

const saidSchema = z.enum(["published", "hidden", "described", "rule", "conflict", "unknown"]);
type Said = z.infer<typeof saidSchema>;
const statuses: Partial<Record<Said, number>> = { conflict: 409, unknown: 404 };

function noticeOf({ translatorOf }: App, { session }: MyVisit, said: Said): Notice {
  const tone = statuses[said] === undefined ? "good" : "warning";
  return { tone, text: translatorOf(session.locale)(`recordings.notice.${said}`) };
}
