import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Course, Member } from "../../domain/course.ts";
import {
  type CalendarAddressesDeps,
  type CalendarOwner,
  makeCalendarAddress,
} from "../../features/scheduling/calendar-addresses.ts";
import {
  showSessions,
  type ShowSessionsDeps,
  type ShownSession,
} from "../../features/scheduling/show-sessions.ts";
import { isForMember } from "../../features/scheduling/is-for-member.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { MemberStore } from "../../storage/member-store.ts";
import type { Session } from "../session.ts";
import { pageFrame, type SessionPageDeps, wordsOf } from "./sessions-routes.ts";
import { sessionRow } from "./sessions-view.ts";

export type MySessionsRoutesDeps = SessionPageDeps &
  ShowSessionsDeps &
  CalendarAddressesDeps & {
    members: Pick<MemberStore, "find">;
    /** Where browsers reach the tool. */
    publicUrl: string;
  };

const sessionShape = z.object({ session: z.unknown().optional() });
const calendarShape = z.object({
  act: z.enum(["show", "make", "revoke"]).catch("show"),
  scope: z.enum(["course", "person"]).catch("person"),
});

type Visit = { session: Session; course: Course; member: Member };

/** Past sessions that a learner is shown at most; all that come are shown, up to the same number. */
const shownAtMost = 50;

/**
 * POST /course/my-sessions: the sessions of a course that are for the reader, to be read only. POST /course/calendar: the
 * secret addresses of calendars; that of the whole course is for its instructors.
 */
export function mySessionsRoutes(deps: MySessionsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/my-sessions", form, async (request, response) => {
    const visit = await visitOf(deps, request);
    const words = await wordsOf(deps, visit);
    const timetable = await showSessions(deps, visit.course);
    const rows = (sessions: readonly ShownSession[]) =>
      sessions
        .filter((each) => isMine(each, visit.member))
        .slice(0, shownAtMost)
        .map((each) => ({ ...sessionRow(words, each), problem: null }));
    response.set("Cache-Control", "no-store").render("course/my-sessions", {
      ...(await pageFrame(deps, visit, words.t)),
      zone: words.t(visit.course.timeZone === null ? "sessions.zone.shownUtc" : "sessions.zone.shown", {
        zone: words.times.zone,
      }),
      zoneName: words.times.zone,
      live: rows(timetable.live),
      next: rows(timetable.next),
      past: rows(timetable.past),
    });
  });
  router.post("/course/calendar", form, async (request, response) => {
    const visit = await visitOf(deps, request);
    const { act, scope } = calendarShape.parse(request.body ?? {});
    const owner = ownersOf(visit).find((each) => each.scope === scope);
    if (owner === undefined) {
      throw new NamedError("instructors-only", "Only instructors of this course can do this.", {
        status: 403,
      });
    }
    const made = act === "make" ? { scope, token: await makeCalendarAddress(deps, owner) } : null;
    if (act === "revoke") await deps.calendars.revoke(owner);
    await showCalendars(deps, visit, { made, revoked: act === "revoke" }, response);
  });
  return router;
}

async function visitOf(deps: MySessionsRoutesDeps, request: Request): Promise<Visit> {
  const session = await deps.sessions.read(sessionShape.parse(request.body ?? {}).session);
  const { registrationId, courseId, personId } = session;
  const course = await deps.courses.find(courseId);
  const member = await deps.members.find(registrationId, courseId, personId);
  if (course === null || member === null) {
    throw new NamedError("members-only", "Only people of this course can see its sessions.", { status: 403 });
  }
  // Never more than this launch and the present role both allow.
  const role = session.role === "instructor" ? member.role : "learner";
  return { session, course, member: { ...member, role } };
}

/** What is not settled with the classroom yet is nobody's session but the planners'. */
function isMine(session: ShownSession, member: Member): boolean {
  const { standing } = session;
  if (standing === "failed" || standing === "unknown") return false;
  return isForMember(session, member);
}

function ownersOf({ session, course, member }: Visit): CalendarOwner[] {
  const { registrationId } = course;
  const own: CalendarOwner = { registrationId, scope: "person", ownerId: session.personId };
  return member.role === "instructor"
    ? [{ registrationId, scope: "course", ownerId: course.id }, own]
    : [own];
}

async function showCalendars(
  deps: MySessionsRoutesDeps,
  visit: Visit,
  { made, revoked }: { made: { scope: string; token: string } | null; revoked: boolean },
  response: Response,
): Promise<void> {
  const { t, times } = await wordsOf(deps, visit);
  const calendars = await Promise.all(
    ownersOf(visit).map(async (owner) => {
      const known = await deps.calendars.find(owner);
      const token = made?.scope === owner.scope ? made.token : null;
      return {
        scope: owner.scope,
        since: known === null ? null : t("sessions.calendar.since", { when: times.text(known.createdAt) }),
        address: token === null ? null : `${deps.publicUrl}/calendar/${token}.ics`,
      };
    }),
  );
  response.set("Cache-Control", "no-store").render("course/calendar", {
    ...(await pageFrame(deps, visit, t)),
    calendars,
    revoked,
    list: visit.member.role === "instructor" ? "/course/sessions" : "/course/my-sessions",
  });
}
