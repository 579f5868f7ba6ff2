import type { Request, Response } from "express";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { settingsInEffect } from "../../../domain/join-settings.ts";
import type { Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import { noteActor } from "../../../kernel/request-scope.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { showError } from "../../../web/error-page.ts";
import { mayIn } from "../../../web/visits.ts";
import type { Session } from "../../../web/session.ts";
import { localeInWordsOf } from "../../../web/translate.ts";
import { originOrNull } from "../../../web/page-address.ts";
import { myCheckIns } from "../../check-in/list-open.ts";
import { subscribeToNotices } from "../../courses/subscribe-to-notices.ts";
import { accessToShow } from "../../joining/pages/closed-entry.ts";
import { showDialog } from "../../links/pages/show-dialog.ts";
import { saveLaunchFacts } from "../../members/roster-readings.ts";
import { saveProduct } from "../../registration/save-product.ts";
import { saveTimeZone } from "../../scheduling/plan-sessions.ts";
import { offerCopiedSettings } from "../offer-copied-settings.ts";
import { recordLaunch } from "../record-launch.ts";
import { adminLinkOf } from "./admin-link.ts";
import { goesStraightIn } from "../rules/goes-straight-in.ts";
import { isFramed } from "./launch-view.ts";
import { showReview } from "./review-page.ts";
import { type KnownOfLaunch, sendInside, showInFrame } from "./send-inside.ts";

/** `cameAt`: milliseconds; `onPlaced`: called once the order of launches does not matter. */
type LaunchOrder = { cameAt: number; onPlaced: () => void };

/** With a page or a redirect; called by `lms`. @param judgedBy The LMS as the launch was judged by it. */
export async function showLaunch(
  deps: App & LaunchOrder,
  launch: Launch,
  judgedBy: Registration,
  request: Request,
  response: Response,
): Promise<void> {
  const { locale, returnUrl } = launch.presentation;
  const t = deps.translatorOf(localeInWordsOf(locale, capabilitiesOf(judgedBy).wording));
  try {
    await deps.framing.wear(judgedBy.id);
    const registration = await saveProduct(deps, judgedBy, launch);
    if (launch.kind === "deep-linking") {
      deps.onPlaced();
      await showDialog(deps, registration, launch, response);
      return;
    }
    deps.background.run("subscribe to notices", () => subscribeToNotices(deps, registration, launch));
    if (launch.kind === "submission-review") {
      deps.onPlaced(); // the LMS is asked for the grade
      await showReview(deps, t, registration, launch, response);
      return;
    }
    const known: KnownOfLaunch = { ...(await recordLaunch(deps, registration, launch)), registration };
    const { course, person, member, link } = known;
    noteActor({ kind: "person", registrationId: registration.id, personId: person.id, role: member.role });
    deps.background.run("learn the time zone", () => saveTimeZone(deps, course, launch));
    deps.background.run("learn from launch", () => saveLaunchFacts(deps, course, member, launch));
    const session: Session = {
      registrationId: registration.id,
      deploymentId: launch.deploymentId,
      courseId: course.id,
      personId: person.id,
      courseLinkId: link?.id ?? null,
      framedBy: originOrNull(returnUrl),
      role: member.role,
      staffRole: launch.rights.staffRole,
      locale: localeInWordsOf(locale, capabilitiesOf(registration).wording),
      ...adminLinkOf(deps, registration, launch),
    };
    const stops =
      session.consoleUntil !== undefined ||
      (await isToBeAsked(deps, session, course)) ||
      accessToShow(session, known) !== null ||
      (await checksIn(deps, known)) ||
      !goesStraightIn(session, settingsInEffect(course, link));
    if (!isFramed(request, launch) && !stops) {
      await sendInside(deps, session, request, response, { wish: "as-set", returnUrl, known });
      return;
    }
    await showInFrame(deps, session, request, response, { returnUrl, known });
  } catch (thrown) {
    showError({ ...deps, t }, request, response, thrown, {
      returnUrl,
      showReason: launch.rights.role === "instructor",
    });
  }
}

/** A learner may be in the room beside the screen: their home asks for its code before the Space opens. */
async function checksIn(deps: App, { course, member }: KnownOfLaunch): Promise<boolean> {
  if (member.role !== "learner" || course.checkIn !== true) return false;
  return (await myCheckIns(deps, course, member)).open.length > 0;
}

/** An instructor who can take settings of a copied course sees that page before the Space, once. */
async function isToBeAsked(deps: App, session: Session, course: Course): Promise<boolean> {
  if (!mayIn(session, course, "corrections")) return false;
  return ((await offerCopiedSettings(deps, course))?.differences.length ?? 0) > 0;
}
