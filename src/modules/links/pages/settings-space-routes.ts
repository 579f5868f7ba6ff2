import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { openSpace } from "../../../domain/course-link.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { PageAnswer } from "../../../web/answer.ts";
import { coursePages, type ReadPage } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { type FormProblems, newSpaceFields, readNewSpace } from "../../courses/pages/settings-form.ts";
import type { SettingsNews } from "../../courses/pages/settings-page.ts";
import { settingsRead } from "../../courses/pages/settings-read.ts";
import { spaceRefusals } from "../../spaces/space-rights.ts";
import { linkSpace, nameSpace, renewSpace } from "../link-space.ts";
import { spaceChangePage, spaceChoicePage, type SpaceChoiceShown } from "./settings-space-page.ts";

const text = z.string().max(2_000).catch("");
const shape = z.object({
  act: z.enum(["show", "look", "look-new", "link", "make"]).catch("show"),
  known: text,
  space: text,
  /** The Space that was seen; empty for none. */
  seen: text,
  share: z.literal("yes").nullable().catch(null),
  newAccess: text,
  newWaiting: text,
});
type Posted = z.infer<typeof shape>;

/** Another Space for the whole course, after a question. For instructors. */
export function settingsSpaceRoutes(app: App): Router {
  const pages = coursePages(app);
  const path = "/course/settings/space";
  const posts = {
    who: "settings",
    fields: (posted: unknown) => shape.parse(posted),
    form: { maxBytes: 128 * 1024 },
  } as const;
  const settings = pages.elsewhere(...settingsRead(app));
  pages.change(path, { ...posts, takes: ({ act }) => act !== "show" }, async ({ visit, fields }) => {
    try {
      return await answer(app, visit, fields, settings);
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem === null) throw thrown;
      return spaceChoicePage(app, visit, { ...typedIn(fields), problem });
    }
  });
  pages.read(path, posts, ({ visit }) => spaceChoicePage(app, visit, emptyChoice));
  return pages.router;
}

/** What an instructor can correct on the page. */
function problemOf(thrown: unknown): SpaceChoiceShown["problem"] {
  if (!(thrown instanceof NamedError)) return null;
  if (thrown.code === "space-unreadable") return "unreadable";
  return spaceRefusals.includes(thrown.code) ? { said: thrown } : null;
}

async function answer(app: App, visit: InstructorVisit, posted: Posted, settings: ReadPage<SettingsNews>) {
  switch (posted.act) {
    case "show":
      return spaceChoicePage(app, visit, emptyChoice);
    case "look":
      return look(app, visit, posted);
    case "look-new":
      return spaceChangePage(app, visit, {
        kind: "new",
        ...newSpaceFields(newSpaceIn(visit.course, posted)),
      });
    case "link":
      return link(app, visit, posted, settings);
    case "make":
      return make(app, visit, posted, settings);
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

/** An address wins over the list. */
function namedIn({ space, known }: Posted): string {
  return space.trim() === "" ? known : space;
}

async function look(app: App, visit: InstructorVisit, posted: Posted): Promise<PageAnswer> {
  const typed = namedIn(posted);
  if (typed === "") return spaceChoicePage(app, visit, { ...typedIn(posted), problem: "missing" });
  const named = await nameSpace(app, visit.course, visit.session.personId, typed);
  return named.isOwn
    ? spaceChoicePage(app, visit, { ...typedIn(posted), problem: "own" })
    : spaceChangePage(app, visit, { kind: "link", ...named, unsaid: false });
}

/** What the institution has locked is not asked. */
function newSpaceIn(course: Course, posted: Posted) {
  if (isLocked(course, "newSpace")) return course.newSpace;
  const problems: FormProblems = {};
  const read = readNewSpace(posted, problems);
  if (Object.keys(problems).length === 0) return read ?? openSpace;
  throw refusal("bad-request", { status: 400 });
}

async function link(app: App, visit: InstructorVisit, posted: Posted, settings: ReadPage<SettingsNews>) {
  const { course, session } = visit;
  const typed = namedIn(posted);
  const outcome = await linkSpace(app, course, {
    personId: session.personId,
    seen: posted.seen === "" ? null : posted.seen,
    typed,
    mayShare: posted.share === "yes",
  });
  if (outcome === "shared") {
    const named = await nameSpace(app, course, session.personId, typed);
    return spaceChangePage(app, visit, { kind: "link", ...named, unsaid: true });
  }
  if (outcome === "late") return late(app, visit, posted);
  return settings.after({}, { saved: false, space: "linked" });
}

async function make(app: App, visit: InstructorVisit, posted: Posted, settings: ReadPage<SettingsNews>) {
  const { course, session } = visit;
  if (posted.seen === "") return spaceChoicePage(app, visit, emptyChoice);
  if (posted.seen !== course.spaceId) return late(app, visit, posted);
  const made = newSpaceIn(course, posted);
  await renewSpace(app, course, { personId: session.personId, seen: posted.seen, made });
  return settings.after({}, { saved: false, space: "made" });
}

/** Another instructor has given the course another Space meanwhile. */
async function late(app: App, visit: InstructorVisit, posted: Posted): Promise<PageAnswer> {
  const now = { ...visit, course: (await app.courses.find(visit.course.id)) ?? visit.course };
  return spaceChoicePage(app, now, { ...typedIn(posted), late: true });
}
