import { Router } from "express";
import {
  enterAsAdministrator,
  type LetAdministratorsInDeps,
} from "../../operations/let-administrators-in.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { readerLocale } from "../../../web/reader-locale.ts";
import { sayError } from "../../../web/say-error.ts";
import type { Sessions } from "../../../web/session.ts";
import { formField } from "./form-field.ts";
import { type GateDeps, presentSession } from "./gate.ts";
import { isFromHere } from "../../../web/is-from-here.ts";
import { showPage } from "./show-page.ts";

export type LmsEntranceDeps = GateDeps & LetAdministratorsInDeps & { courseSessions: Pick<Sessions, "read"> };

/**
 * POST /admin/lms: the way in for administrators of an LMS. A page of a course posts its session here, into a window of
 * its own: the console is never shown in a frame, and there its cookie is a first-party one.
 */
export function lmsEntrance(deps: LmsEntranceDeps): Router {
  const router = Router();
  router.post("/lms", async (request, response) => {
    const t = deps.translatorOf(readerLocale(request));
    const refuse = (status: number, code: string, message: string) => {
      response.status(status);
      const values = { message, code };
      showPage(deps, response, null, {
        view: "problem",
        title: t("console.problem.heading"),
        area: null,
        values,
      });
    };
    if (!isFromHere(request, deps.publicUrl)) {
      refuse(403, "foreign-form", t("console.problem.foreignForm"));
      return;
    }
    try {
      const session = await deps.courseSessions.read(formField(request.body, "session"));
      const { registrationId, personId, consoleUntil } = session;
      await enterAsAdministrator(deps, { registrationId, personId, until: consoleUntil });
      const present = await presentSession(deps, request);
      // An operator who is logged in here goes on as one.
      if (present === null || present.scope !== null)
        deps.cookie.set(response, await deps.sessions.begin({ registrationId, personId }));
      response.redirect(303, `/admin/registrations/${registrationId}`);
    } catch (thrown) {
      if (!(thrown instanceof NamedError)) throw thrown;
      refuse(thrown.status, thrown.code, sayError(t, thrown));
    }
  });
  return router;
}
