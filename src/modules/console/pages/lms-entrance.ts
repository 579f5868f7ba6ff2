import { Router } from "express";
import { enterAsAdministrator } from "../../operations/let-administrators-in.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { sayError } from "../../../web/page-text.ts";
import { formField } from "./form-field.ts";
import type { ConsoleApp } from "./console-app.ts";
import { isFromOwnPage } from "../../../kernel/read-form.ts";
import { showSetUp } from "../../operations/show-set-up.ts";
import { baseOf } from "./set-up-pages.ts";
import { presentSession } from "./present-session.ts";
import { showRefusal } from "./problem-page.ts";

/** In a window of its own: the console is never in a frame, and there its cookie is a first-party one. */
export function lmsEntrance(deps: ConsoleApp): Router {
  const router = Router();
  router.post("/lms", async (request, response) => {
    const t = deps.translatorOf(readerLocale(request));
    if (isFromOwnPage(request, deps.publicUrl) === false) {
      showRefusal(deps, response, 403, {
        message: t("errors.foreign-console-form"),
        code: "foreign-console-form",
      });
      return;
    }
    try {
      const session = await deps.courseSessions.read(formField(request.body, "session"));
      const { registrationId, personId, deploymentId = null, consoleUntil } = session;
      await enterAsAdministrator(
        { ...deps, who: "lms-administrator" },
        { registrationId, personId, until: consoleUntil },
      );
      const present = await presentSession(deps, request);
      // An operator who is logged in here goes on as one.
      if (present === null || present.scope !== null)
        deps.cookie.set(
          response,
          await deps.logIns.begin({ by: "lms", scope: { registrationId, personId, deploymentId } }),
        );
      response.redirect(303, await firstPage(deps, registrationId, deploymentId));
    } catch (thrown) {
      if (!(thrown instanceof NamedError)) throw thrown;
      showRefusal(deps, response, thrown.status, { message: sayError(t, thrown), code: thrown.code });
    }
  });
  return router;
}

/** An institution with an account of its own is led through its set-up until it is done. */
async function firstPage(
  deps: ConsoleApp,
  registrationId: string,
  deploymentId: string | null,
): Promise<string> {
  const { own, steps, done } = await showSetUp(deps, registrationId, deploymentId);
  const goesOn = own !== null && done < steps.length;
  return goesOn ? baseOf(registrationId) : `/admin/registrations/${registrationId}`;
}
