import { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { KeptLogin } from "../../../lms/login-request.ts";
import type { ResumedLaunch } from "../../../lms/lti-provider.ts";
import { targetAsShown, wishOf } from "../../joining/pages/space-page.ts";
import { answerCopiedSettings } from "../copied-settings.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { type ErrorPageDeps, showError } from "../../../web/error-page.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { Head } from "../../../web/partials.ts";
import { allowFormsAnywhere } from "../../../web/security-headers.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { homeAfter, homePage, homeRead } from "./home-page.ts";
import { changeLinkAsPosted, linkFieldsOf } from "./link-opens.ts";
import { sendInside, showInFrame } from "./send-inside.ts";

/** /enter (the button), /course/home (the first page), /course/link ("what this link opens"). */
export function launchRoutes(app: App): Router {
  const router = Router();
  const form = readForm({ maxBytes: 16 * 1024 });
  router.post("/enter", form, async (request, response) => {
    const session = await app.sessions.readForEntry(tokenIn(request));
    await sendInside(app, session, request, response, { wish: wishOf(request.body), returnUrl: null });
  });
  const pages = coursePages(app);
  pages.read(...homeRead(app));
  pages.change(
    "/course/link",
    { who: "settings", fields: linkFieldsOf },
    async ({ visit, fields, browser }) => {
      const change = await changeLinkAsPosted(app, visit, fields);
      if (change === null) return homeAfter(app, pages, null);
      if (change.refused === null) return homeAfter(app, pages, { what: "link-changed" });
      const target = await targetAsShown(app, visit.session, browser, "as-set");
      return homePage(app, visit.session, target, { change });
    },
  );
  router.use(pages.router);
  return router;
}

function tokenIn(request: Request): unknown {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "session" in body ? body.session : null;
}

/**
 * Looks again, from the LMS's frame, whether entry is open. Elsewhere the closed page posts to /enter; a frame does not
 * show the Space, so it needs the page with the button.
 */
export function closedEntryRoutes(app: App): Router {
  const router = Router();
  router.post("/door", readForm({ maxBytes: 16 * 1024 }), async (request, response) => {
    const body: unknown = request.body;
    const token = typeof body === "object" && body !== null && "session" in body ? body.session : null;
    const session = await app.sessions.readForEntry(token);
    await showInFrame(app, session, request, response, { returnUrl: null });
  });
  return router;
}

/** Anything of another kind counts as missing. */
const shape = z.object({ answer: z.enum(["take", "decline"]).nullable().catch(null) });

export function copiedRoutes(app: App): Router {
  const pages = coursePages(app);
  pages.change(
    "/course/copied",
    // The grade policy is among what is taken over.
    { who: "corrections", fields: (posted) => shape.parse(posted) },
    async ({ visit, fields: { answer } }) => {
      if (answer === null) throw refusal("bad-request", { status: 400 });
      const { outcome } = await answerCopiedSettings(app, visit.course, answer);
      return homeAfter(app, pages, { what: "copied", outcome });
    },
  );
  return pages.router;
}

/** `host`: the tool's. */
export type KeepPage = Head & { login: KeptLogin; host: string };

const keepPage = defineView<KeepPage>("launch/keep");

/**
 * Answers a login in a frame, or one whose LMS offers platform storage: the page checks that this browser will be
 * recognised when it comes back, continues to the LMS, and otherwise offers a new window. A program that takes no page is
 * redirected.
 * @param deps.publicUrl Its host is named to administrators.
 */
export function showCookieProbePage(
  deps: { translatorOf: TranslatorOf; publicUrl: string },
  login: KeptLogin,
  request: Request,
  response: Response,
): void {
  if (request.accepts("html") === false) {
    response.redirect(302, login.location);
    return;
  }
  const t = deps.translatorOf(readerLocale(request));
  // The new window leads to the LMS, and from there to wherever people log in.
  allowFormsAnywhere(response, deps.publicUrl);
  renderView(response, keepPage, {
    t,
    title: t("browser.opening"),
    login,
    host: new URL(deps.publicUrl).host,
  });
}

/** Asks the LMS's platform storage. `host`: the tool's. */
export type ResumePage = Head & { launch: ResumedLaunch; host: string; returnUrl: string | null };

const resumePage = defineView<ResumePage>("launch/resume");

/**
 * For a genuine launch without its cookie: asks the LMS's platform storage for what the login put there and posts the
 * launch once more. Status 200 when the LMS offers storage, else 401, as it is most likely the end. A program gets the
 * plain refusal.
 */
export function showStorageResumePage(
  deps: Omit<ErrorPageDeps, "t"> & { translatorOf: TranslatorOf; publicUrl: string },
  launch: ResumedLaunch,
  request: Request,
  response: Response,
): void {
  const t = deps.translatorOf(launch.locale);
  if (request.accepts(["html", "json"]) === "json") {
    showError({ ...deps, t }, request, response, launch.refusal);
    return;
  }
  // The launch that it posts leads to the Space, at the top level.
  allowFormsAnywhere(response, deps.publicUrl);
  response.status(launch.storageTarget === null ? launch.refusal.status : 200);
  renderView(response, resumePage, {
    t,
    title: t("browser.opening"),
    launch,
    host: new URL(deps.publicUrl).host,
    returnUrl: webAddressOrNull(launch.returnUrl),
  });
}
