import type { Request, Response } from "express";
import type { KeptLogin } from "../../../lms/login-request.ts";
import { allowFormsAnywhere } from "../../../web/security-headers.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import type { Head } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { TranslatorOf } from "../../../web/translate.ts";

/** `host`: the tool's. */
export type KeepPage = Head & { login: KeptLogin; host: string };

const keepPage = defineView<KeepPage>("launch/keep");

/**
 * Answers a login in a frame, or one whose LMS offers platform storage: the page checks that this browser will be
 * recognised when it comes back, goes on to the LMS, and otherwise offers a new window. A program that takes no page is
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
