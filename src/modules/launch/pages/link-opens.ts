import type { App } from "../../../app.ts";
import { z } from "zod";
import { otherSpaceOf } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import type { Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../../courses/rules/course.ts";
import { type LinksApp, changeLink, linkOfCourse } from "../../links/links.ts";
import { sessionName, spaceNames } from "../../links/pages/picker-page.ts";
import type { EventStore } from "../../scheduling/store/event-store.ts";
import { knownSpaces } from "../../spaces/usable-space.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";

export type LinkOpens = {
  now: string;
  kind: "course" | "space" | "session";
  spaces: { spaceId: string; name: string }[];
  /** The institution lets courses use only Spaces that were made for them. */
  ownOnly: boolean;
  shut: string | null;
  /** As typed when it could not be used. */
  known: string;
  space: string;
  problem: string | null;
  saved: boolean;
};

export type LinkOpensPart = { t: Translate; session: string; opens: LinkOpens };

/** What an instructor has just tried; null when the page opens. */
export type LinkChange = { known: string; space: string; refused: NamedError | null } | null;

/** Null when the session came through no link of the course. */
export async function linkOpens(
  app: LinksApp & { events: EventStore },
  t: Translate,
  session: Session,
  course: Course,
  change: LinkChange,
): Promise<LinkOpens | null> {
  const link = await linkOfCourse(app, course, session.courseLinkId);
  if (link === null) return null;
  const appUrl = app.appUrlOf(course.environment);
  const shown = {
    ...typedAgain(change),
    problem: change?.refused == null ? null : problemText(t, change.refused, appUrl),
    saved: change !== null && change.refused === null,
    shut: await shutText(app, t, course, otherSpaceOf(link.choice)),
    ownOnly: course.ownSpacesOnly === true,
    spaces: spaceNames(await knownSpaces(app, course, session.personId)),
  };
  const { choice } = link;
  switch (choice.kind) {
    case "course-space":
      return { ...shown, kind: "course", now: t("choose.opens.now.course") };
    case "space": {
      const address = spaceUrl(appUrl, choice.spaceId);
      return { ...shown, kind: "space", now: t("choose.opens.now.space", { address }) };
    }
    case "session": {
      const event = await app.events.find(course.environment, choice.eventId);
      const name = sessionName(t, event, { timeZone: null });
      return { ...shown, kind: "session", now: t("choose.opens.now.session", { name }) };
    }
  }
}

async function shutText(
  { courses }: LinksApp,
  t: Translate,
  course: Course,
  spaceId: string | null,
): Promise<string | null> {
  const rightState = spaceId === null ? "usable" : await courses.rightState(course, spaceId);
  if (rightState === "usable") return null;
  const why = rightState === "not-own" ? ` ${t("choose.ownOnly")}` : "";
  return t(`choose.opens.shut.${rightState}`) + why;
}

function typedAgain(change: LinkChange): Pick<LinkOpens, "known" | "space"> {
  return change?.refused == null ? { known: "", space: "" } : { known: change.known, space: change.space };
}

const fieldsSchema = z.object({
  what: z.string().catch(""),
  known: z.string().catch(""),
  space: z.string().max(2_000).catch(""),
});

type LinkFields = z.infer<typeof fieldsSchema>;

export function linkFieldsOf(posted: unknown): LinkFields {
  return fieldsSchema.parse(posted);
}

/** @returns what was typed and why it was refused, for the next page. */
export async function changeLinkAsPosted(
  app: LinksApp,
  { session, course }: InstructorVisit,
  { what, known, space }: LinkFields,
): Promise<LinkChange> {
  if (what !== "course" && what !== "space") return null;
  const typed = space.trim() === "" ? known : space;
  const wanted =
    what === "course" ? ({ kind: "course-space" } as const) : ({ kind: "space", typed } as const);
  try {
    await changeLink(app, course, session.personId, session.courseLinkId, wanted);
    return { known, space, refused: null };
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.status === 422) return { known, space, refused: thrown };
    throw thrown;
  }
}

function problemText(t: Translate, refused: NamedError, appUrl: string): string {
  switch (refused.code) {
    case "space-unreadable":
      return t("choose.problems.spaceUnreadable", { folder: `${withoutTrailingSlashes(appUrl)}/spaces/` });
    default:
      return sayError(t, refused);
  }
}

/** Empty unless an administrator of an LMS that lets them in came. */
export function adminLinkOf(
  { config, clock }: Pick<App, "config" | "clock">,
  registration: Registration,
  { administrator = false, rights }: Pick<Launch, "administrator" | "rights">,
): Pick<Session, "consoleUntil"> {
  // Without a way to log in there is no console.
  const consoleOn = config.adminPassword !== undefined || config.oidc !== null;
  const opens = consoleOn && administrator && !rights.testUser && letsAdministratorsIn(registration);
  return opens ? { consoleUntil: clock.now() + consoleLinkLifetimeMs } : {};
}

/** Judged again where it leads to. */
export function showsAdminLink({ clock }: { clock: Clock }, { consoleUntil, only }: Session): boolean {
  return only === undefined && consoleUntil !== undefined && consoleUntil > clock.now();
}
