import { personName } from "../../../domain/person-name.ts";
import type { Choosable, LinkedSections } from "../match-user.ts";
import type { Matched, Unmatched, UnmatchedEvent, UnmatchedUser } from "../list-unmatched.ts";
import { numberText, statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { sectionsOfSession, type SessionWords } from "../../scheduling/pages/sessions-view.ts";

/** Sessions named for each user; the others are counted. */
const maxNamed = 5;

export function unmatchedView(
  words: SessionWords,
  unmatched: Unmatched,
  members: readonly Choosable[],
  linked: LinkedSections,
) {
  const { t, times } = words;
  const attended = unmatched.users.map(({ sessions, ...user }) => ({
    ...{ ...user, mayBeAside: true },
    sessions: sessions.map(({ title, startsAt, status }) =>
      [title ?? t("common.untitledSession"), whenText(t, times, startsAt), statusView(t, status).text].join(
        ", ",
      ),
    ),
  }));
  const visited = unmatched.visitors.map(({ userId, classes }) => ({
    ...{ userId, aside: false, mayBeAside: false },
    sessions: classes.map(({ startsAt }) => [t("unplanned.sessionTitle"), times.text(startsAt)].join(", ")),
  }));
  const users = [...attended, ...visited]
    .map((user) => userView(words, user, members, linked))
    // People with known facts first.
    .sort((one, other) => Number(one.from === null) - Number(other.from === null));
  const eventViews = (events: readonly UnmatchedEvent[]) =>
    events
      .map((event) => eventView(words, event, linked.ofCohorts(event.cohortIds)))
      .sort((one, other) => Number(one.forCohort === null) - Number(other.forCohort === null));
  return {
    users: users.filter(({ aside }) => !aside),
    aside: users.filter(({ aside }) => aside),
    events: eventViews(unmatched.events),
    hidden: eventViews(unmatched.hidden),
    matches: unmatched.matches.map(({ match, person, ...said }) => ({
      id: match.id,
      userId: match.userId,
      name: personName(person),
      ...saidView(t, times, said),
    })),
    ours: unmatched.ours.map(({ eventId, title, startsAt, ...said }) => ({
      eventId,
      session: [title ?? t("common.untitledSession"), whenText(t, times, startsAt)].join(", "),
      ...saidView(t, times, said),
    })),
  };
}

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

/** Members of sections whose cohort the user is in are offered first, except those in it by another user. */
function userView(
  words: SessionWords,
  {
    userId,
    aside,
    mayBeAside,
    sessions,
  }: Pick<UnmatchedUser, "userId" | "aside"> & { mayBeAside: boolean; sessions: readonly string[] },
  members: readonly Choosable[],
  { ofUser }: LinkedSections,
) {
  const { t } = words;
  const sectionIds = ofUser(userId);
  const sections = sectionsOfSession(words, sectionIds);
  const near = new Set(
    members.filter(
      (member) =>
        member.sectionIds.some((id) => sectionIds.includes(id)) &&
        member.userIds.every((own) => ofUser(own).length === 0),
    ),
  );
  const group = (label: string, is: (member: Choosable) => boolean) => ({
    label,
    members: members.filter(is).map(({ personId, name }) => ({ personId, name })),
  });
  const groups = [
    ...(sections === null ? [] : [group(sections, (member) => near.has(member))]),
    group(t("unmatched.people.without"), (member) => !member.hasUser && !near.has(member)),
    group(t("unmatched.people.with"), (member) => member.hasUser && !near.has(member)),
  ];
  return {
    userId,
    from: sections === null ? null : t("unmatched.people.fromCohort", { sections }),
    groups: groups.filter((each) => each.members.length > 0),
    ...{ aside, mayBeAside },
    count: t("common.sessionCount", { count: sessions.length, number: numberText(t, sessions.length) }),
    sessions: sessions.slice(0, maxNamed).map((text) => ({ text })),
    more: sessions.length > maxNamed ? sessions.length - maxNamed : null,
  };
}

function eventView(
  words: SessionWords,
  { eventId, title, startsAt, people }: UnmatchedEvent,
  sectionIds: readonly string[],
) {
  const { t, times } = words;
  const sections = sectionsOfSession(words, sectionIds);
  return {
    forCohort: sections === null ? null : t("unmatched.events.forCohort", { sections }),
    eventId,
    title: title ?? t("common.untitledSession"),
    when: whenText(t, times, startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    people: t("unmatched.events.attended", { count: people, number: numberText(t, people) }),
  };
}
