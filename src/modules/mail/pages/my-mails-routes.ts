import { type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { changeMyMails, showMyMails, stopKeyOf } from "../mail-choices.ts";
import { type StoppableKind, stoppableKinds } from "../rules/records.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import type { Head, Notice } from "../../../web/partials.ts";
import { postedFiles } from "../../../web/posted-files.ts";
import { defineView, renderView } from "../../../web/view.ts";

export type MyMailsPage = PageOf<typeof myMailsModel>;

const choiceShape = z
  .object({ kind: z.enum(stoppableKinds), want: z.enum(["stop", "start"]) })
  .nullable()
  .catch(null);

/** /course/my-mails: which of the course's e-mails its reader wants, always for the session's person. */
export function myMailsRoutes(app: App): Router {
  const pages = coursePages(app);
  const page = pages.page("/course/my-mails", {
    who: "member",
    fields: noFields,
    news: z.literal("saved"),
    view: defineView<MyMailsPage>("course/my-mails"),
    model: myMailsModel,
  });
  pages.change(
    "/course/my-mails/change",
    { who: "member", fields: choiceShape },
    async ({ visit: { member }, fields }) => {
      if (fields === null) throw refusal("bad-request", { status: 400 });
      await changeMyMails(app, member, fields.kind, fields.want === "start");
      return page.after({}, "saved");
    },
  );
  return pages.router;
}

async function myMailsModel(
  app: App,
  { visit: { course, member }, words: { t } }: PageContext<"member">,
  news: "saved" | null,
) {
  const { kinds, hasAddress } = await showMyMails(app, course, member);
  const saved: Notice = { tone: "good", text: t("common.saved") };
  return {
    title: t("mail.course.title", { course: courseNameOf(t, course) }),
    notice: news === null ? null : saved,
    hasAddress,
    kinds: kinds.map(({ kind, isStopped }) => {
      const want = isStopped ? "start" : "stop";
      return {
        kind,
        want,
        button: t(`mail.stop.${want}`),
        text: t(`mail.stop.${isStopped ? "stopped" : "on"}.${kind}`),
      };
    }),
  };
}

export type StopPage = Head & {
  /** unknown: nobody has this address. */
  state: "on" | "stopped" | "unknown";
  text: string;
};

const stopPage = defineView<StopPage>("mail/stop");

const maxFormBytes = 4_096;

const stopShape = z.object({
  want: z.enum(["stop", "start"]).optional().catch(undefined),
  /** One click in a mail program (RFC 8058) posts only this. */
  "List-Unsubscribe": z.literal("One-Click").optional().catch(undefined),
});

/** /mail/<token>: GET only shows, because mail scanners open every link. POST stops mails, or starts them again. Needs no login. */
export function stopRoutes(app: App): Router {
  const router = Router();
  // RFC 8058, 3.2: mail programs should post multipart/form-data. Our own page posts the other type.
  const multipart = postedFiles(maxFormBytes);
  const form = readForm({ maxBytes: maxFormBytes });
  const show = (response: Response, locale: string | null, kind: StoppableKind | null, isStopped = false) => {
    const t = app.translatorOf(locale);
    const known = isStopped ? "stopped" : "on";
    const text = kind === null ? t("mail.stop.unknown") : t(`mail.stop.${known}.${kind}`);
    const state = kind === null ? "unknown" : known;
    if (kind === null) response.status(404);
    response.set("X-Robots-Tag", "noindex");
    renderView(response, stopPage, { t, title: t("mail.stop.title"), state, text });
  };
  router.get("/mail/:token", async (request, response) => {
    const key = await stopKeyOf(app, request.params.token);
    const isStopped = key !== null && (await app.mailStops.has(key));
    show(response, readerLocale(request), key?.kind ?? null, isStopped);
  });
  router.post("/mail/:token", multipart);
  router.post<{ token: string }>("/mail/:token", form, async (request, response) => {
    const key = await stopKeyOf(app, request.params.token);
    if (key === null) {
      show(response, readerLocale(request), null);
      return;
    }
    const { want: pressed, "List-Unsubscribe": oneClick } = stopShape.parse(request.body ?? {});
    const isOneClick = oneClick !== undefined;
    const want = pressed ?? (isOneClick ? "stop" : undefined);
    if (want === "stop") await app.mailStops.stop({ id: app.ids.id("stop"), ...key, at: app.clock.now() });
    if (want === "start") await app.mailStops.start(key);
    if (isOneClick) {
      response.status(200).type("text/plain").send("Stopped.\n");
      return;
    }
    response.redirect(303, request.path);
  });
  return router;
}
