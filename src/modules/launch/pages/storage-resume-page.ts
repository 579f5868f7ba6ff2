import type { Request, Response } from "express";
import type { ResumedLaunch } from "../../../lms/lti-provider.ts";
import { type ErrorPageDeps, showError } from "../../../web/error-page.ts";
import { allowFormsAnywhere } from "../../../web/security-headers.ts";
import type { Head } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";

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
