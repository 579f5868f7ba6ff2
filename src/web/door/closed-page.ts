import type { Request, Response } from "express";
import type { Course } from "../../domain/course.ts";
import type { ClosedDoor } from "../../features/joining/door-of.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { RegistrationStore } from "../../storage/registration-store.ts";
import type { SectionStore } from "../../storage/section-store.ts";
import { sectionLabel, numberLabel } from "../course/people-view.ts";
import type { Session, Sessions } from "../session.ts";
import type { Translate, TranslatorOf } from "../translate.ts";
import { webAddressOrNull } from "../web-address.ts";

export type ClosedPageDeps = {
  courses: Pick<CourseStore, "find">;
  registrations: Pick<RegistrationStore, "find">;
  sections: Pick<SectionStore, "listOf">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
  clock: Clock;
};

/**
 * A page that waits longer than this (ms) does not move on by itself: its session would be over, and nobody looks at
 * a page for a day.
 */
const longestWait = 6 * 3_600_000;

/**
 * The page before a closed door: why it is closed, when it opens or whom it is for, and the way on.
 * @param framed In the LMS's frame, where the Space itself cannot be sent: the way on is the page with the button.
 * @param shown How they asked to be let in; the page asks the same when it opens.
 */
export async function showClosed(
  deps: ClosedPageDeps,
  session: Session,
  door: ClosedDoor,
  response: Response,
  { framed, shown, returnUrl }: { framed: boolean; shown: "tab" | "embedded"; returnUrl: string | null },
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const course = await deps.courses.find(session.courseId);
  const opensAt = door.because === "early" ? door.opensAt : null;
  const waitMs = opensAt === null ? null : Math.max(0, opensAt - deps.clock.now());
  response.set("Cache-Control", "no-store").render("door/closed", {
    t,
    title: t("door.title", { course: nameOf(t, course) }),
    courseName: nameOf(t, course),
    because: door.because === "other-sections" ? "otherSections" : door.because,
    opensAt: opensAt === null ? null : new Date(opensAt).toISOString(),
    waitMs,
    movesOn: waitMs !== null && waitMs <= longestWait,
    locale: session.locale?.replaceAll("_", "-") ?? "",
    sections: door.because === "other-sections" ? await labelsOf(deps, t, session, door.sectionIds) : [],
    session: await deps.sessions.issue(session),
    framed,
    shown,
    courseUrl: webAddressOrNull(course?.courseUrl ?? returnUrl),
  });
}

/** Whether a page of ours was asked for from within a frame. */
export function isInFrame(request: Request): boolean {
  const destination = request.get("sec-fetch-dest");
  return destination === "iframe" || destination === "frame";
}

function nameOf(t: Translate, course: Course | null): string {
  return course?.title || course?.label || t("product");
}

async function labelsOf(
  deps: ClosedPageDeps,
  t: Translate,
  { registrationId, courseId }: Session,
  sectionIds: readonly string[],
): Promise<string[]> {
  const family = (await deps.registrations.find(registrationId))?.family ?? "other";
  const sections = await deps.sections.listOf(registrationId, courseId);
  return sectionIds.map((id) => {
    const section = sections.find(({ lmsSectionId }) => lmsSectionId === id);
    return section === undefined ? numberLabel(t, family, id) : sectionLabel(t, family, section);
  });
}
