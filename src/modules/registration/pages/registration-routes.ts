import { type Request, Router } from "express";
import type { App } from "../../../app.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import type { Invitation } from "../../../domain/registration.ts";
import { secretDigest } from "../../../kernel/ids.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Registered } from "../../../lms/dynamic-registration.ts";
import type { ManualValues } from "../../../lms/manual-registration.ts";
import { forbidFrames } from "../../../web/security-headers.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import type { Head } from "../../../web/partials.ts";
import { utcText } from "../../../web/course-times.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { showInvitation } from "../registrations.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";

/** `url`: the invitation's address. `moment`: writes a time (ms) in UTC. */
export type InvitationPage = Head & {
  invitation: Invitation;
  url: string;
  values: ManualValues;
  moment: (at: number) => string;
};

export type RegisteredPage = Head &
  Omit<Registered, "deploymentId" | "withheld"> & {
    /** Where the LMS allows what it withheld. */
    places: readonly string[];
    /** Names of the LMS's own pages. */
    wording: LmsCapabilities["wording"];
    /** The LMS hides the tool from teachers until its administrator shows it. */
    hidden: boolean;
    /** Its administrators continue the set-up from a course. */
    leadsOn: boolean;
  };

const invitationPage = defineView<InvitationPage>("registration/invitation");
const registeredPage = defineView<RegisteredPage>("registration/done");

/**
 * GET /lti/register?invite=...: dynamic registration in the LMS's window. A person who opens the address sees what to do with it. GET
 * /lti/config/canvas.json: Canvas's configuration by address. ?notices=1 is for a Canvas that supports notices.
 */
export function registrationRoutes(app: App): Router {
  const router = Router();
  router.get("/register", async (request, response) => {
    const invitation = parameter(request, "invite");
    if (invitation === null) throw refusal("invitation-missing", { status: 403 });
    const t = app.translatorOf(readerLocale(request));
    const openidConfigurationUrl = parameter(request, "openid_configuration");
    if (openidConfigurationUrl === null) {
      forbidFrames(response); // a person's own tab: the LMS's dialog brings its configuration and frames what follows
      renderView(response, invitationPage, {
        t,
        title: t("registration.title"),
        values: app.manualValues,
        moment: (at: number) => utcText(t, at),
        ...(await showInvitation(app, invitation)),
      });
      return;
    }
    const { registration, known, withheld } = await app.registerByInvitation(secretDigest(invitation), {
      openidConfigurationUrl,
      registrationToken: parameter(request, "registration_token"),
    });
    const { wording, hiddenAfterRegistration: hidden } = capabilitiesOf(registration);
    const isEnglish = t("language.code") === "en";
    const inOneSentence = t(`institution.readiness.do.services.${wording}`);
    renderView(response, registeredPage, {
      t,
      title: t("registration.title"),
      registration,
      known,
      places: [...new Set(withheld.map(({ where }) => (isEnglish ? where : inOneSentence)))],
      wording,
      hidden,
      leadsOn: !known && registration.administratorsEnter === true,
    });
  });
  router.get("/config/canvas.json", (request, response) => {
    const notices = parameter(request, "notices") === "1";
    response.set("Cache-Control", "public, max-age=300").json(app.canvasConfiguration(notices));
  });
  return router;
}

/** A query parameter that is given exactly once and isn't empty. */
function parameter(request: Request, name: string): string | null {
  const value = request.query[name];
  return typeof value === "string" && value !== "" ? value : null;
}
