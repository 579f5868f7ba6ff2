import { spaceRefusals } from "../../spaces/usable-space.ts";
import { sayError } from "../../../web/say-error.ts";
import express, { type Request, type Response, Router } from "express";
import type { Course } from "../../../domain/course.ts";
import { customParameter, type DeepLinkingRequest, type Launch } from "../../../domain/launch.ts";
import { linkOfferOf } from "../rules/link-offer.ts";
import type { Registration } from "../../../domain/registration.ts";
import { recordLaunch, type RecordLaunchDeps } from "../../launch/record-launch.ts";
import { chooseLinks, type ChooseLinksDeps } from "../choose-links.ts";
import { offerChoices, type OfferedChoices } from "../offer-choices.ts";
import type { GradeMemberDeps } from "../../grading/grade-member.ts";
import { stillAdmitted, type StillAdmittedDeps } from "../../registration/still-admitted.ts";
import type { Background } from "../../../kernel/background.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { SignDeepLinkingAnswer } from "../../../lms/deep-linking-response.ts";
import type { Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { showAnswer } from "./answer-page.ts";
import type { Dialog, Dialogs } from "./dialogs.ts";
import { beginHandOver, type HandOverDeps, handOverRoutes } from "./hand-over.ts";
import {
  type PickerFields,
  pickerFieldsFrom,
  type PickerProblems,
  problemsOf,
  wantedLinks,
} from "./picked.ts";
import { firstFields, showPicker, suggestedTitle } from "./picker-page.ts";
import { sessionName } from "./session-name.ts";

export type DeepLinkingRoutesDeps = RecordLaunchDeps &
  StillAdmittedDeps &
  ChooseLinksDeps &
  HandOverDeps &
  GradeMemberDeps & {
    dialogs: Dialogs;
    signDeepLinkingAnswer: SignDeepLinkingAnswer;
    translatorOf: TranslatorOf;
    background: Background;
    sessions: Sessions;
  };

/** What a deep linking launch shows: the picker to instructors, to others a way back to the LMS. */
export async function showDialog(
  deps: DeepLinkingRoutesDeps,
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

/** POST /choose: the picker's form, which carries its dialog sealed in a field. */
export function deepLinkingRoutes(deps: DeepLinkingRoutesDeps): Router {
  const router = Router();
  router.post("/choose", express.urlencoded({ extended: false, limit: "512kb" }), (request, response) =>
    answerPicker(deps, request, response),
  );
  router.use(handOverRoutes(deps));
  return router;
}

function refusalOf(launch: Launch, deepLinking: DeepLinkingRequest): "learner" | "noLinks" | "nobody" | null {
  if (launch.rights.role !== "instructor") return "learner";
  if (launch.person === null || launch.course === null) return "nobody";
  return linkOfferOf(deepLinking).links ? null : "noLinks";
}

async function answerPicker(
  deps: DeepLinkingRoutesDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const body: unknown = request.body;
  const token = typeof body === "object" && body !== null && "dialog" in body ? body.dialog : null;
  const dialog = deps.dialogs.read(token);
  const t = deps.translatorOf(dialog.locale);
  const registration = await stillAdmitted(deps, dialog);
  const course = await deps.courses.find(dialog.courseId);
  const member = await deps.members.find(dialog.registrationId, dialog.courseId, dialog.personId);
  if (course === null || member?.role !== "instructor") {
    throw new NamedError("instructors-only", "Only instructors of this course can do this.", { status: 403 });
  }
  const { fields, cancelled } = pickerFieldsFrom(body);
  const title = t("choose.back.title");
  if (cancelled) {
    const words = { title, message: t("choose.back.nothing") };
    await showAnswer({ ...deps, t }, registration, dialog, { items: [], words }, response);
    return;
  }
  const offered = await offerChoices(deps, course, dialog.personId);
  const made = await madeLinks(deps, { t, dialog, course, offered, fields });
  if ("problems" in made) {
    const appUrl = deps.appUrlOf(course.environment);
    showPicker(
      {
        t,
        token: deps.dialogs.issue(dialog),
        dialog,
        course,
        offered,
        appUrl,
        fields,
        problems: made.problems,
        session: dialog.session ?? "",
      },
      response,
    );
    return;
  }
  const words = { title, message: t("choose.back.chosen") };
  await showAnswer({ ...deps, t }, registration, dialog, { items: made.items, words }, response);
}

async function madeLinks(
  deps: DeepLinkingRoutesDeps,
  picked: { t: Translate; dialog: Dialog; course: Course; offered: OfferedChoices; fields: PickerFields },
) {
  const { t, dialog, course, offered, fields } = picked;
  const offer = linkOfferOf(dialog);
  const problems = problemsOf(fields, offer, deps.appUrlOf(course.environment));
  if (Object.keys(problems).length > 0) return { problems };
  const suggested = suggestedTitle(t, dialog);
  const session = (eventId: string) =>
    sessionName(t, offered.sessions.find((one) => one.eventId === eventId) ?? null, dialog);
  const names = { course: suggested, space: suggested, session };
  const wanted = wantedLinks(fields, { offer, names, suggested, text: dialog.text });
  try {
    return { wanted, items: await chooseLinks(deps, course, dialog.personId, wanted) };
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const problems = spaceRefusals.includes(thrown.code)
      ? { space: { said: sayError(t, thrown) } }
      : mendable.get(thrown.code);
    if (problems === undefined) throw thrown;
    return { problems };
  }
}

/** Refusals of a choice that the person can mend in the picker. */
const mendable: ReadonlyMap<string, PickerProblems> = new Map([
  ["session-unknown", { what: "session" }],
  ["space-unreadable", { space: "spaceUnreadable" }],
] satisfies [string, PickerProblems][]);
