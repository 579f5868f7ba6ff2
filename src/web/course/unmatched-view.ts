import { personName } from "../../domain/person-name.ts";
import type { Choosable } from "../../features/unmatched/choose-member.ts";
import type {
  Matched,
  Unmatched,
  UnmatchedEvent,
  UnmatchedUser,
} from "../../features/unmatched/list-unmatched.ts";
import { numberText } from "../number-text.ts";
import type { Translate } from "../translate.ts";
import type { CourseTimes } from "./course-times.ts";
import { statusView } from "./status-view.ts";

/** Sessions named for each user; the others are counted. */
const mostNamed = 5;

/** What the page of unmatched people and sessions shows. */
export function unmatchedView(
  t: Translate,
  times: CourseTimes,
  unmatched: Unmatched,
  members: readonly Choosable[],
) {
  const users = unmatched.users.map((user) => userView(t, times, user));
  const choices = (hasUser: boolean) =>
    members.filter((member) => member.hasUser === hasUser).map(({ personId, name }) => ({ personId, name }));
  return {
    users: users.filter(({ aside }) => !aside),
    aside: users.filter(({ aside }) => aside),
    events: unmatched.events.map((event) => eventView(t, times, event)),
    hidden: unmatched.hidden.map((event) => eventView(t, times, event)),
    matches: unmatched.matches.map(({ match, person, ...said }) => ({
      id: match.id,
      userId: match.userId,
      name: personName(person),
      ...saidView(t, times, said),
    })),
    ours: unmatched.ours.map(({ eventId, title, startsAt, ...said }) => ({
      eventId,
      session: [title ?? t("unmatched.events.untitled"), whenText(t, times, startsAt)].join(", "),
      ...saidView(t, times, said),
    })),
    without: choices(false),
    taken: choices(true),
  };
}

/** Who said it and when. */
function saidView(t: Translate, times: CourseTimes, { at, by }: Matched) {
  const when = times.text(at);
  const said =
    by === null
      ? t("unmatched.matches.when", { when })
      : t("unmatched.matches.by", { name: personName(by, "instructor"), when });
  return { said };
}

function whenText(t: Translate, times: CourseTimes, startsAt: number | null): string {
  return startsAt === null ? t("unmatched.events.noTime") : times.text(startsAt);
}

function userView(t: Translate, times: CourseTimes, { userId, aside, sessions }: UnmatchedUser) {
  return {
    userId,
    aside,
    count: t("unmatched.people.sessions", { count: sessions.length, number: numberText(t, sessions.length) }),
    sessions: sessions.slice(0, mostNamed).map(({ title, startsAt, status }) => ({
      text: [
        title ?? t("unmatched.events.untitled"),
        whenText(t, times, startsAt),
        statusView(t, status).text,
      ].join(", "),
    })),
    more: sessions.length > mostNamed ? sessions.length - mostNamed : null,
  };
}

function eventView(t: Translate, times: CourseTimes, { eventId, title, startsAt, people }: UnmatchedEvent) {
  return {
    eventId,
    title: title ?? t("unmatched.events.untitled"),
    when: whenText(t, times, startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    people: t("unmatched.events.attended", { count: people, number: numberText(t, people) }),
  };
}
