import express, { type Response, Router } from "express";
import { z } from "zod";
import {
  type CalendarAddressesDeps,
  type CalendarOwner,
  makeCalendarAddress,
} from "../calendar-addresses.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type MyVisit, myVisit, type MyVisitDeps } from "../../../web/my-visit.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { pageFrame, type SessionPageDeps } from "./session-page.ts";
import { courseWords } from "../../../web/course-words.ts";

export type MyCalendarRoutesDeps = MyVisitDeps &
  SessionPageDeps &
  CalendarAddressesDeps & {
    /** Where browsers reach the tool. */
    publicUrl: string;
  };

const asked = z.object({
  act: z.enum(["show", "make", "revoke"]).catch("show"),
  scope: z.enum(["course", "person"]).catch("person"),
});

/** What has just been done. `token`: of the new address, which is shown this once. */
type Done = { act: "make"; scope: string; token: string } | { act: "revoke"; scope: string } | null;

/** POST /course/calendar: the secret addresses of calendars; that of the whole course is for its instructors. */
export function myCalendarRoutes(deps: MyCalendarRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/calendar", form, async (request, response) => {
    const visit = await myVisit(deps, request);
    const { act, scope } = asked.parse(request.body ?? {});
    const owner = ownersOf(visit).find((each) => each.scope === scope);
    if (owner === undefined) {
      throw refusal("instructors-only", {
        status: 403,
      });
    }
    if (act === "revoke") await deps.calendars.revoke(owner);
    const token = act === "make" ? await makeCalendarAddress(deps, owner, visit.session.locale) : "";
    await showCalendars(deps, visit, act === "show" ? null : { act, scope, token }, response);
  });
  return router;
}

function ownersOf({ session, course, member }: MyVisit): CalendarOwner[] {
  const { registrationId } = course;
  const own: CalendarOwner = { registrationId, scope: "person", ownerId: session.personId };
  return member.role === "instructor"
    ? [{ registrationId, scope: "course", ownerId: course.id }, own]
    : [own];
}

/** The addresses under which calendar programs read a course's sessions. */
export type CalendarPage = CourseFrame & {
  calendars: {
    scope: CalendarOwner["scope"];
    /** Since when there is an address; null where there is none. */
    since: string | null;
    /** Shown once, when it is made. */
    address: string | null;
    /** The same for calendar programs. */
    opens: string | null;
    revoked: boolean;
  }[];
  teaches: boolean;
};

const calendarPage = defineView<CalendarPage>("course/calendar");

async function showCalendars(
  deps: MyCalendarRoutesDeps,
  visit: MyVisit,
  done: Done,
  response: Response,
): Promise<void> {
  const { t, times } = await courseWords(deps, visit);
  const teaches = visit.member.role === "instructor";
  const calendars = await Promise.all(
    ownersOf(visit).map(async (owner) => {
      const { scope } = owner;
      const known = await deps.calendars.find(owner);
      const address =
        done?.act === "make" && done.scope === scope ? `${deps.publicUrl}/calendar/${done.token}.ics` : null;
      return {
        scope,
        since: known === null ? null : t("sessions.calendar.since", { when: times.text(known.createdAt) }),
        address,
        // Calendar programs open this one themselves, where there is such a program.
        opens: address?.replace(/^https?:/, "webcal:") ?? null,
        revoked: done?.act === "revoke" && done.scope === scope,
      };
    }),
  );
  renderView(response, calendarPage, {
    ...(await pageFrame(deps, visit, t)),
    title: t("sessions.calendar.title", {
      course: visit.course.title || visit.course.label || t("product.name"),
    }),
    calendars,
    teaches,
  });
}
