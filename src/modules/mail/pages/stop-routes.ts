import { type Response, Router } from "express";
import { z } from "zod";
import { readForm } from "../../../kernel/read-form.ts";
import type { App } from "../../../app.ts";
import type { Head } from "../../../web/partials.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { postedFiles } from "../../../web/posted-files.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { StoppableKind } from "../rules/records.ts";
import { readStopToken } from "../stop-tokens.ts";

export type StopPage = Head & {
  /** unknown: the address names nobody. */
  state: "on" | "stopped" | "unknown";
  text: string;
};

const stopPage = defineView<StopPage>("mail/stop");

const maxFormBytes = 4_096;

const shape = z.object({
  want: z.enum(["stop", "start"]).optional().catch(undefined),
  /** One click in a mail program (RFC 8058) posts no more than this. */
  "List-Unsubscribe": z.literal("One-Click").optional().catch(undefined),
});

/** /mail/<token>: GET shows and changes nothing, for mail scanners open every link; POST stops, or starts again. Without a log-in. */
export function stopRoutes(app: App): Router {
  const router = Router();
  // RFC 8058, 3.2: mail programs should post multipart/form-data; our own page posts the other.
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
    const key = readStopToken(app, request.params.token);
    const isStopped = key !== null && (await app.mailStops.has(key));
    show(response, readerLocale(request), key?.kind ?? null, isStopped);
  });
  router.post("/mail/:token", multipart);
  router.post<{ token: string }>("/mail/:token", form, async (request, response) => {
    const key = readStopToken(app, request.params.token);
    if (key === null) {
      show(response, readerLocale(request), null);
      return;
    }
    const { want: pressed, "List-Unsubscribe": oneClick } = shape.parse(request.body ?? {});
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
