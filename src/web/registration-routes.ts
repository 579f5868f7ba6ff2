import { type Request, Router } from "express";
import type { Registration } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import type { TranslatorOf } from "./translate.ts";

export type RegistrationRoutesDeps = {
  register: (
    invitation: string,
    request: { openidConfigurationUrl: string; registrationToken: string | null },
  ) => Promise<{ registration: Registration }>;
  translatorOf: TranslatorOf;
};

/** GET /lti/register?invite=...: where an LMS opens dynamic registration, inside its own window. */
export function registrationRoutes(deps: RegistrationRoutesDeps): Router {
  const router = Router();
  router.get("/register", async (request, response) => {
    const invitation = parameter(request, "invite");
    const openidConfigurationUrl = parameter(request, "openid_configuration");
    if (invitation === null) {
      throw new NamedError(
        "invitation-missing",
        "This address lacks its invitation. Ask whoever runs the classroom tool for a registration address and paste it whole.",
        { status: 403 },
      );
    }
    if (openidConfigurationUrl === null) {
      throw new NamedError(
        "not-opened-by-an-lms",
        "This address is for your LMS: paste it where the LMS asks for a tool's registration URL. In Moodle that is Site administration > Plugins > External tool > Manage tools > Tool URL.",
        { status: 400 },
      );
    }
    const { registration } = await deps.register(invitation, {
      openidConfigurationUrl,
      registrationToken: parameter(request, "registration_token"),
    });
    const t = deps.translatorOf(null);
    response.set("Cache-Control", "no-store").render("registration/done", {
      t,
      title: t("registration.title"),
      platform: registration.name,
    });
  });
  return router;
}

/** A query parameter given exactly once and not empty. */
function parameter(request: Request, name: string): string | null {
  const value = request.query[name];
  return typeof value === "string" && value !== "" ? value : null;
}
