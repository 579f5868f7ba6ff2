import type { Response } from "express";
import { customParameter, type DeepLinkingRequest, type Launch } from "../../../domain/launch.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { SignDeepLinkingAnswer } from "../../../lms/deep-linking-response.ts";
import type { Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { recordLaunch, type RecordLaunchDeps } from "../../launch/record-launch.ts";
import { offerChoices, type OfferChoicesDeps } from "../links.ts";
import { linkOfferOf } from "../rules/link-offer.ts";
import { beginHandOver, type Dialog, type Dialogs, type HandOverDeps, showAnswer } from "./hand-over.ts";
import { firstFields, showPicker } from "./picker-page.ts";

type ShowDialogDeps = RecordLaunchDeps &
  OfferChoicesDeps &
  HandOverDeps & {
    appUrlOf: (environment: AccountId) => string;
    dialogs: Dialogs;
    signDeepLinkingAnswer: SignDeepLinkingAnswer;
    translatorOf: TranslatorOf;
    sessions: Sessions;
  };

/** The picker for instructors, for others a way back to the LMS. */
export async function showDialog(
  deps: ShowDialogDeps,
  registration: Registration,
  launch: Launch,
  response: Response,
): Promise<void> {
  const { deepLinking, presentation } = launch;
  if (deepLinking === null) throw new Error("a deep linking launch without its settings");
  const t = deps.translatorOf(presentation.locale);
  const why = refusalOf(launch, deepLinking);
  if (why !== null) {
    response.status(why === "learner" ? 403 : 200);
    const dialog = { ...deepLinking, deploymentId: launch.deploymentId, locale: presentation.locale };
    const words = { title: t("choose.refused.heading"), message: t(`choose.refused.${why}`) };
    await showAnswer({ ...deps, t }, registration, dialog, { items: [], words, refused: true }, response);
    return;
  }
  if (deepLinking.answerTo != null) await beginHandOver(deps, deepLinking.answerTo);
  const { course, person } = await recordLaunch(deps, registration, launch);
  const who = {
    registrationId: registration.id,
    deploymentId: launch.deploymentId,
    courseId: course.id,
    personId: person.id,
    locale: presentation.locale,
  };
  // No link is open in a dialog.
  const session = await deps.sessions.issue({
    ...{ ...who, courseLinkId: null },
    ...{ role: launch.rights.role, staffRole: launch.rights.staffRole },
  });
  const timeZone = launch.custom[customParameter.timeZone] ?? null;
  const dialog: Dialog = { ...deepLinking, ...who, timeZone, session };
  const offered = await offerChoices(deps, course, person.id);
  showPicker(
    {
      t,
      token: deps.dialogs.issue(dialog),
      dialog,
      course,
      offered,
      appUrl: deps.appUrlOf(course.environment),
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
