import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { openSpace } from "../../../domain/space-access.ts";
import { linkSpace, type NamedSpace, nameSpace, renewSpace } from "../link-space.ts";
import { spaceRefusals } from "../../spaces/usable-space.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import {
  formOfCourse,
  type FormProblems,
  newSpaceFields,
  readNewSpace,
} from "../../courses/pages/settings-form.ts";
import { renderSettings } from "../../courses/pages/settings-page.ts";
import {
  renderSpaceChange,
  renderSpaceChoice,
  type SpaceChoiceShown,
  type SpacePageDeps,
} from "./settings-space-page.ts";

export type SettingsSpaceRoutesDeps = SpacePageDeps & { courses: CourseStore; sessions: Sessions };

const text = z.string().max(2_000).catch("");
const postedShape = z.object({
  act: z.enum(["show", "look", "look-new", "link", "make"]).catch("show"),
  known: text,
  space: text,
  /** The Space that was seen; empty for none. */
  seen: text,
  share: z.literal("yes").nullable().catch(null),
  newAccess: text,
  newWaiting: text,
});
type Posted = z.infer<typeof postedShape>;

/** POST /course/settings/space: another Space for the whole course, after a question. For instructors. */
export function settingsSpaceRoutes(deps: SettingsSpaceRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "128kb" });
  router.post("/course/settings/space", form, async (request: Request, response: Response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const posted = postedShape.parse(request.body ?? {});
    try {
      await answer(deps, visit, posted, response);
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem === null) throw thrown;
      await refuse(deps, visit, { ...typedIn(posted), problem }, response);
    }
  });
  return router;
}

/** What an instructor can mend on the page. */
function problemOf(thrown: unknown): SpaceChoiceShown["problem"] {
  if (!(thrown instanceof NamedError)) return null;
  if (thrown.code === "space-unreadable") return "unreadable";
  return spaceRefusals.includes(thrown.code) ? { said: thrown } : null;
}

type Visit = { session: Session; course: Course };

async function answer(
  deps: SettingsSpaceRoutesDeps,
  visit: Visit,
  posted: Posted,
  response: Response,
): Promise<void> {
  switch (posted.act) {
    case "show":
      await renderSpaceChoice(deps, visit, emptyChoice, response);
      return;
    case "look":
      await look(deps, visit, posted, response);
      return;
    case "look-new":
      await lookAtNew(deps, visit, posted, response);
      return;
    case "link":
      await link(deps, visit, posted, response);
      return;
    case "make":
      await make(deps, visit, posted, response);
      return;
  }
}

const emptyChoice: SpaceChoiceShown = {
  typed: "",
  known: "",
  problem: null,
  late: false,
  ...newSpaceFields(openSpace),
};

function typedIn({ space, known, newAccess, newWaiting }: Posted): SpaceChoiceShown {
  const fields = { newAccess: newAccess || "Public", newWaiting: newWaiting || "no" };
  return { ...emptyChoice, ...fields, typed: space, known };
}

/** What was named: an address wins over the list, where somebody gave both. */
function namedIn({ space, known }: Posted): string {
  return space.trim() === "" ? known : space;
}

async function look(deps: SettingsSpaceRoutesDeps, visit: Visit, posted: Posted, response: Response) {
  const typed = namedIn(posted);
  if (typed === "") {
    await refuse(deps, visit, { ...typedIn(posted), problem: "missing" }, response);
    return;
  }
  const named = await nameSpace(deps, visit.course, visit.session.personId, typed);
  if (named.isOwn) await refuse(deps, visit, { ...typedIn(posted), problem: "own" }, response);
  else await showLink(deps, visit, named, false, response);
}

function showLink(
  deps: SettingsSpaceRoutesDeps,
  visit: Visit,
  named: NamedSpace,
  unsaid: boolean,
  response: Response,
): Promise<void> {
  return renderSpaceChange(deps, visit, { kind: "link", ...named, unsaid }, response);
}

async function lookAtNew(deps: SettingsSpaceRoutesDeps, visit: Visit, posted: Posted, response: Response) {
  const wanted = newSpaceIn(visit.course, posted);
  await renderSpaceChange(deps, visit, { kind: "new", ...newSpaceFields(wanted) }, response);
}

/** How the new Space is to be made; what the institution has locked is not asked. */
function newSpaceIn({ locked, newSpace = openSpace }: Course, posted: Posted) {
  if (locked?.includes("newSpace") === true) return newSpace;
  const problems: FormProblems = {};
  const read = readNewSpace(posted, problems);
  if (Object.keys(problems).length === 0) return read ?? openSpace;
  throw refusal("bad-request", { status: 400 });
}

async function link(deps: SettingsSpaceRoutesDeps, visit: Visit, posted: Posted, response: Response) {
  const { course, session } = visit;
  const typed = namedIn(posted);
  const outcome = await linkSpace(deps, course, {
    personId: session.personId,
    seen: posted.seen === "" ? null : posted.seen,
    typed,
    mayShare: posted.share === "yes",
  });
  if (outcome === "shared") {
    response.status(422);
    await showLink(deps, visit, await nameSpace(deps, course, session.personId, typed), true, response);
  } else if (outcome === "late") {
    await late(deps, visit, posted, response);
  } else {
    await done(deps, visit, "linked", response);
  }
}

async function make(deps: SettingsSpaceRoutesDeps, visit: Visit, posted: Posted, response: Response) {
  const { course, session } = visit;
  if (posted.seen === "") {
    await renderSpaceChoice(deps, visit, emptyChoice, response);
    return;
  }
  if (posted.seen !== course.spaceId) {
    await late(deps, visit, posted, response);
    return;
  }
  const made = newSpaceIn(course, posted);
  await renewSpace(deps, course, { personId: session.personId, seen: posted.seen, made });
  await done(deps, visit, "made", response);
}

/** Somebody else has given the course another Space meanwhile. */
async function late(deps: SettingsSpaceRoutesDeps, visit: Visit, posted: Posted, response: Response) {
  response.status(409);
  const now = { ...visit, course: (await deps.courses.find(visit.course.id)) ?? visit.course };
  await renderSpaceChoice(deps, now, { ...typedIn(posted), late: true }, response);
}

async function refuse(
  deps: SettingsSpaceRoutesDeps,
  visit: Visit,
  shown: SpaceChoiceShown,
  response: Response,
): Promise<void> {
  response.status(422);
  await renderSpaceChoice(deps, visit, shown, response);
}

async function done(
  deps: SettingsSpaceRoutesDeps,
  { session, course }: Visit,
  space: "linked" | "made",
  response: Response,
): Promise<void> {
  const now = (await deps.courses.find(course.id)) ?? course;
  const visit = { session, course: now, link: null, scope: "course" as const };
  await renderSettings(deps, visit, { stored: formOfCourse(now), space }, response);
}
