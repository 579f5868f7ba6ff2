import type { App } from "../../../app.ts";
import type { Response } from "express";
import { customParameter, type DeepLinkingRequest, type Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import { recordLaunch } from "../../launch/record-launch.ts";
import { offerChoices } from "../links.ts";
import { linkOfferOf } from "../rules/link-offer.ts";
import { beginHandOver, type Dialog, showAnswer } from "./hand-over.ts";
import { firstFields, showPicker } from "./picker-page.ts";

/** The picker for instructors, for others a way back to the LMS. */
export async function showDialog(
  app: App,
  registration: Registration,
  launch: Launch,
  response: Response,
): Promise<void> {
  const { deepLinking, presentation } = launch;
  if (deepLinking === null) throw new Error("a deep linking launch without its settings");
  const t = app.translatorOf(presentation.locale);
  const why = refusalOf(launch, deepLinking);
  if (why !== null) {
    response.status(why === "learner" ? 403 : 200);
    const dialog = { ...deepLinking, deploymentId: launch.deploymentId, locale: presentation.locale };
    const words = { title: t("choose.refused.heading"), message: t(`choose.refused.${why}`) };
    await showAnswer({ ...app, t }, registration, dialog, { items: [], words, refused: true }, response);
    return;
  }
  if (deepLinking.answerTo != null) await beginHandOver(app, deepLinking.answerTo);
  const { course, person } = await recordLaunch(app, registration, launch);
  const who = {
    registrationId: registration.id,
    deploymentId: launch.deploymentId,
    courseId: course.id,
    personId: person.id,
    locale: presentation.locale,
  };
  // No link is open in a dialog.
  const session = await app.sessions.issue({
    ...{ ...who, courseLinkId: null },
    ...{ role: launch.rights.role, staffRole: launch.rights.staffRole },
  });
  const timeZone = launch.custom[customParameter.timeZone] ?? null;
  const dialog: Dialog = { ...deepLinking, ...who, timeZone, session };
  const offered = await offerChoices(app, course, person.id);
  showPicker(
    {
      t,
      token: app.dialogs.issue(dialog),
      dialog,
      course,
      offered,
      appUrl: app.appUrlOf(course.environment),
      fields: firstFields(t, dialog, course, offered),
      problems: {},
      session,
    },
    response,
  );
}

function refusalOf(launch: Launch, deepLinking: DeepLinkingRequest): "learner" | "noLinks" | "nobody" | null {
  if (launch.rights.role !== "instructor") return "learner";
  if (launch.person === null || launch.course === null) return "nobody";
  return linkOfferOf(deepLinking).links ? null : "noLinks";
}
