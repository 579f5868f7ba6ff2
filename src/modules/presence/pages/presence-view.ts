import type { Router } from "express";
import type { App } from "../../../app.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import type { Course } from "../../../domain/course.ts";
import type { PresenceSummary, Stay } from "../rules/presence.ts";
import { type HereApp, listHere, type PresenceApp, presenceOfPeople } from "../presence-of-people.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { SeriesChange } from "../../scheduling/store/session-plan-store.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { HereNow } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseTimes } from "../../../web/course-times.ts";

/** How many stays are listed: the first ones. */
export const maxStays = 4;

type Words = { t: Translate; times: CourseTimes };

/**
 * Texts such as "In the Space 10:02–10:58 (56 min)", or null if nothing was reported. `rule` (whether it counts) appears once on a page that
 * shows any of them, otherwise it's null.
 */
export async function presenceWords(
  app: PresenceApp,
  words: Words,
  course: Course,
  sessions: Parameters<typeof presenceOfPeople>[2],
  personIds: readonly string[],
): Promise<{
  of: (eventId: string | null, personId: string) => string | null;
  bar: (
    session: Pick<CourseSession, "eventId" | "startsAt" | "endsAt">,
    personId: string,
  ) => ReturnType<typeof presenceBar>;
  rule: string | null;
  ruleMine: string | null;
}> {
  const presence = await presenceOfPeople(app, course, sessions, personIds);
  const any = sessions.some(({ eventId }) => personIds.some((id) => presence.of(eventId, id) !== null));
  return {
    of: (eventId, personId) => {
      const own = any && eventId !== null ? presence.of(eventId, personId) : null;
      return own === null ? null : presenceText(words, own);
    },
    bar: ({ eventId, startsAt, endsAt }, personId) => {
      const own = any ? presence.of(eventId, personId) : null;
      if (own === null || startsAt === null || endsAt === null) return null;
      return presenceBar(own.stays, { startsAt, endsAt }, own.minutes !== null);
    },
    rule: any ? presenceRule(words.t, course) : null,
    ruleMine: any ? words.t(isCounted(course) ? "presence.ruleMineCounts" : "presence.ruleMine") : null,
  };
}

/** Whether it counts, as instructors read it. */
export function presenceRule(t: Translate, course: Pick<Course, "policy">): string {
  return t(isCounted(course) ? "presence.ruleCounts" : "presence.rule");
}

function isCounted({ policy }: Pick<Course, "policy">): boolean {
  return policy.kind !== "no-grades" && policy.worth.kind === "minutes";
}

/** When a person was there, in percent of the session, or null for never. @param isWhole Whether all of their time is known. */
export function presenceBar(
  stays: readonly { from: number; to: number }[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
  isWhole: boolean,
) {
  const share = (at: number) => Math.min(100, Math.max(0, ((at - startsAt) / (endsAt - startsAt)) * 100));
  const spans = stays.map(({ from, to }) => ({
    from: Math.round(share(from)),
    size: Math.max(1, Math.round(share(to) - share(from))),
  }));
  const [first] = spans;
  return first === undefined || endsAt <= startsAt ? null : { spans, cameAt: first.from, isWhole };
}

/** A text such as "In the Space 10:02–10:58 (56 min, 5 of them in another browser tab)", without minutes if they aren't known. */
function presenceText(words: Words, { stays, minutes, hiddenMinutes }: PresenceSummary): string {
  const { t } = words;
  const spans = stays.slice(0, maxStays).map((stay) => spanText(words, stay));
  const times = inList(t, stays.length > maxStays ? [...spans, "…"] : spans);
  if (minutes === null) return t("presence.inSpaceOpen", { times });
  const values = { times, minutes: numberText(t, minutes), hidden: numberText(t, hiddenMinutes) };
  return t(hiddenMinutes > 0 ? "presence.inSpaceHidden" : "presence.inSpace", values);
}

function spanText({ t, times }: Words, { from, to, end }: Stay): string {
  return t(`presence.span.${end === "session-ended" ? "ended" : end}`, {
    from: times.clock(from),
    to: times.clock(to),
  });
}

/** Who is in the Space, in one line. Null if nobody is reported, because some classrooms never report anybody. */
export async function hereView(app: HereApp, t: Translate, course: Course): Promise<HereNow["hereNow"]> {
  const { all, people } = await listHere(app, course);
  if (all === 0) return null;
  const named = people.slice(0, maxFaces);
  const names = named.map(({ name }) => name);
  return {
    text: t(named.length === 0 ? "presence.here" : "presence.hereNamed", { count: all }),
    names: inList(t, all > named.length && named.length > 0 ? [...names, "…"] : names),
    faces: names.map(initialsOf),
  };
}

/** How many people the course's home page names. The page about the Space names everybody. */
const maxFaces = 4;

/** "Ada Lovelace" becomes "AL". */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => (/^\p{L}/u.exec(word ?? "")?.[0] ?? "").toLocaleUpperCase()).join("");
}

const kinds = { EVENT_CREATED: "created", EVENT_DELETED: "deleted", EVENT_CANCELLED: "cancelled" } as const;

export function seriesChangeText(
  { t, times, users }: Words & { users?: ReadonlyMap<string, string> },
  change: SeriesChange,
): string {
  const { eventType, scope, title, at, eventIds, by } = change;
  const name = users?.get(by ?? "");
  const count = t("presence.series.count", { count: eventIds.length });
  const about = inList(t, title === null ? [count] : [title, count]);
  const line = { when: times.text(at), what: `${whatText(t, eventType, scope)} (${about})` };
  return name === undefined
    ? t("presence.series.line", line)
    : t("presence.series.lineBy", { ...line, name });
}

function whatText(t: Translate, eventType: string, scope: string): string {
  if (eventType === "EVENT_UPDATED") {
    const known = scope === "ALL" || scope === "FUTURE" || scope === "CURRENT" ? scope : "other";
    return t(`presence.series.updated.${known}`);
  }
  const kind = Object.entries(kinds).find(([name]) => name === eventType)?.[1] ?? "unknown";
  return t(`presence.series.${kind}`);
}

/** Who is in a course's Spaces now, as reported. For instructors. */
export function hereRoutes(app: App): Router {
  const pages = coursePages(app);
  pages.page("/course/here", {
    who: "settings",
    fields: noFields,
    view: defineView<HerePage>("course/here"),
    model: hereModel,
  });
  return pages.router;
}

export type HerePage = PageOf<typeof hereModel>;

async function hereModel(app: App, { visit: { course }, words }: PageContext<"settings">) {
  const { t, times, iso, zone, now } = words;
  const { all, people, others } = await listHere(app, course);
  return {
    title: t("presence.title", { course: courseNameOf(t, course) }),
    lead: all === 0 ? null : t("presence.here", { count: all }),
    people: people.map((one) => ({
      personId: one.personId,
      name: one.name,
      teaches: one.role === "instructor",
      at: iso(one.since),
      since: t("presence.span.now", { from: times.clock(one.since) }),
    })),
    others: others === 0 ? null : t("presence.others", { count: others }),
    asOf: t("presence.zone", { zone, when: times.text(now) }),
  };
}
