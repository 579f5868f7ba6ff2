import type { RequestHandler } from "express";
import type { Lms } from "./build-lms.ts";
import { showInvitation } from "./modules/registration/show-invitation.ts";
import type { Clock } from "./kernel/clock.ts";
import { canvasConfiguration } from "./lms/products/canvas-configuration.ts";
import { manualValues } from "./lms/manual-values.ts";
import type { Stores } from "./open-stores.ts";
import { registrationRoutes } from "./modules/registration/pages/registration-routes.ts";
import type { TranslatorOf } from "./web/translate.ts";

export type RegistrationPartsDeps = {
  publicUrl: string;
  stores: Pick<Stores, "invitations">;
  lms: Pick<Lms, "registerByInvitation" | "tool">;
  translatorOf: TranslatorOf;
  clock: Clock;
};

/** The door through which an LMS, or its administrator, registers the tool. */
export function buildRegistration(deps: RegistrationPartsDeps): RequestHandler {
  const { publicUrl, stores, lms, translatorOf, clock } = deps;
  return registrationRoutes({
    register: lms.registerByInvitation,
    showInvitation: (id) => showInvitation({ ...stores, publicUrl, clock }, id),
    manualValues: manualValues(lms.tool),
    canvasConfiguration: (notices) => canvasConfiguration(lms.tool, { notices }),
    translatorOf,
  });
}
