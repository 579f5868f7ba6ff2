import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { changeMyMails, showMyMails } from "../my-mails.ts";
import { stoppableKinds } from "../rules/records.ts";

export type MyMailsPage = CourseFrame & {
  teaches: boolean;
  notice: Notice | null;
  hasAddress: boolean;
  /** What the course sends the reader, as a sentence; `want` is what the button posts. */
  kinds: { kind: string; text: string; want: "stop" | "start"; button: string }[];
};

const view = defineView<MyMailsPage>("course/my-mails");
const news = z.object({ what: z.literal("saved") });
const shape = z.object({ kind: z.enum(stoppableKinds), want: z.enum(["stop", "start"]) });

/** /course/my-mails: which of the course's e-mails its reader wants, always of the person whom the session belongs to. */
export function myMailsRoutes(app: App): Router {
  const pages = coursePages(app);
  const shown = pages.read(
    "/course/my-mails",
    { who: "member", fields: noFields, news: readNews(news) },
    ({ visit, t }, said) => myMailsPage(app, visit, t, said !== null),
  );
  pages.change(
    "/course/my-mails/change",
    { who: "member", fields: (posted) => shape.safeParse(posted).data ?? null },
    async ({ visit: { member }, fields }) => {
      if (fields === null) throw refusal("bad-request", { status: 400 });
      await changeMyMails(app, member, fields.kind, fields.want === "start");
      return shown.after({}, { what: "saved" });
    },
  );
  return pages.router;
}

async function myMailsPage(
  app: App,
  { course, member }: MyVisit,
  t: Translate,
  saved: boolean,
): Promise<PageAnswer> {
  const { kinds, hasAddress } = await showMyMails(app, course, member);
  return page(view, {
    title: t("mail.course.title", { course: courseNameOf(t, course) }),
    teaches: member.role === "instructor",
    notice: saved ? { tone: "good", text: t("mail.course.saved") } : null,
    hasAddress,
    kinds: kinds.map(({ kind, isStopped }) => {
      const want = isStopped ? "start" : "stop";
      return {
        ...{ kind, want, button: t(`mail.stop.${want}`) },
        text: t(`mail.stop.${isStopped ? "stopped" : "on"}.${kind}`),
      };
    }),
  });
}
