import type { Person } from "../../../domain/course.ts";
import { fullName } from "../../../domain/person.ts";
import type { PageWords } from "../../../web/course-words.ts";
import type { MessageKey } from "../../../web/translate.ts";
import { inList } from "../../../web/page-text.ts";
import type { CohortStranger, ComparedLink, SectionDifference } from "../compare-sections.ts";
import {
  type Cohort,
  type CohortDifference,
  cohortName,
  deletedSince,
  type PeopleCut,
} from "../rules/cohort.ts";
import type { PastLink } from "../section-links.ts";

/** @param users Names of people who changed a cohort in the classroom, by classroom user id. */
export function linkView(
  words: PageWords,
  users: ReadonlyMap<string, string>,
  one: ComparedLink,
  by: Person | null,
) {
  const { t, times } = words;
  const { link, cohort, difference } = one;
  const when = times.text(link.at);
  const name = by === null ? null : fullName(by);
  return {
    id: link.id,
    cohort: nameOf(one),
    program: t("cohorts.inProgram", { program: link.programId }),
    by: name === null ? t("cohorts.linkedAt", { when }) : t("cohorts.linkedBy", { name, when }),
    changed: cohort === null ? null : changedText(words, users, cohort),
    deleted: deletedText(words, cohort),
    summary: summaryTexts(words, difference),
    differs:
      difference.kind === "compared" && difference.onlySection.length + difference.onlyCohort.length > 0,
    comparable: difference.kind === "compared",
  };
}

function deletedText({ t, times }: PageWords, cohort: Cohort | null): string | null {
  const deletedAt = cohort === null ? null : deletedSince(cohort);
  if (deletedAt === null) return null;
  return t(cohort?.readAt == null ? "cohorts.deletedUnread" : "cohorts.deletedOn", {
    when: times.text(deletedAt),
  });
}

/** Null for an unknown person. */
function changedText(
  { t, times }: PageWords,
  users: ReadonlyMap<string, string>,
  { changedAt = null, changedBy = null }: Pick<Cohort, "changedAt" | "changedBy">,
): string | null {
  const name = users.get(changedBy ?? "");
  return name === undefined || changedAt === null
    ? null
    : t("cohorts.changedBy", { name, when: times.text(changedAt) });
}

export function nameOf({ link, cohort }: Pick<ComparedLink, "link" | "cohort">): string {
  return cohort === null ? (link.cohortName ?? link.cohortId) : cohortName(cohort);
}

function summaryTexts(words: PageWords, difference: CohortDifference): string[] {
  const { t, number, sectionKind } = words;
  if (difference.kind === "unknown") return [t(`cohorts.summary.${difference.why}`)];
  const { onlySection, onlyCohort, withoutUser, withoutId, cut } = difference;
  const uncompared = withoutUser.length + withoutId.length;
  const counted = (key: MessageKey, count: number) =>
    count === 0 ? [] : [t(key, { count, number: number(count) })];
  const texts = [
    ...(cut === null ? [] : [cutText(words, cut)]),
    ...counted(
      sectionKind === "groups" ? "cohorts.summary.group" : "cohorts.summary.section",
      onlySection.length,
    ),
    ...counted("cohorts.summary.cohort", onlyCohort.length),
    ...counted("cohorts.summary.uncompared", uncompared),
  ];
  return texts.length === 0 ? [t("cohorts.summary.same")] : texts;
}

/** The classroom lists only some of a cohort's people. */
function cutText({ t, number }: PageWords, { read, total }: PeopleCut): string {
  return total === null
    ? t("cohorts.summary.cut", { number: number(read) })
    : t("cohorts.summary.cutOf", { number: number(read), total: number(total) });
}

/** How many people of each kind are listed. */
const maxNamed = 200;

export function differenceView(words: PageWords, { cohort, compared, why, showsNames }: SectionDifference) {
  const { t, times, number, sectionKind } = words;
  const readAt = cohort?.readAt ?? null;
  const readKey = sectionKind === "groups" ? "cohorts.difference.readAtGroup" : "cohorts.difference.readAt";
  const listed = <T>(all: readonly T[]) => ({
    rows: all.slice(0, maxNamed),
    more: all.length > maxNamed ? t("cohorts.difference.more", { number: number(maxNamed) }) : null,
  });
  return {
    deleted: deletedText(words, cohort),
    readAt: readAt === null ? null : t(readKey, { when: times.text(readAt) }),
    why: why === null ? null : t(`cohorts.summary.${why}`),
    compared:
      compared === null
        ? null
        : {
            both: t("cohorts.difference.both", { count: compared.both, number: number(compared.both) }),
            onlySection: listed(compared.onlySection),
            onlyCohort: listed(compared.onlyCohort.map((one) => strangerView(words, one))),
            withoutUser: listed(compared.withoutUser),
            withoutId: listed(compared.withoutId.map((name) => name ?? t("cohorts.difference.nameless"))),
            organizersKnown: compared.organizersKnown,
            cut: compared.cut === null ? null : cutText(words, compared.cut),
          },
    namesHidden: !showsNames,
  };
}

function strangerView(words: PageWords, stranger: CohortStranger) {
  const { userId, name, as } = stranger;
  const user = words.t("cohorts.difference.user", { id: userId });
  return {
    name: name ?? user,
    user: name === null ? null : user,
    as: words.t(`cohorts.difference.${as}`),
    where: whereText(words, stranger),
  };
}

function whereText({ t, label, sectionKind }: PageWords, { where, sectionIds }: CohortStranger): string {
  if (where !== "in-course") return t(`cohorts.difference.${where}`);
  if (sectionIds.length > 0)
    return t("cohorts.difference.inSections", { sections: inList(t, sectionIds.map(label)) });
  return t(sectionKind === "groups" ? "cohorts.difference.inCourseGroup" : "cohorts.difference.inCourse");
}

export function pastLinkView({ t, times, number, label, iso }: PageWords, link: PastLink) {
  const { endedAt, deletedAt, attendees } = link;
  const done = (at: number, name: string | null) => {
    const when = times.text(at);
    return { at: iso(at), text: name === null ? when : t("cohorts.past.by", { when, name }) };
  };
  return {
    section: label(link.lmsSectionId),
    cohort: link.cohortNow,
    program: t("cohorts.inProgram", { program: link.programId }),
    linked: done(link.at, link.byName),
    ended: endedAt === null ? null : done(endedAt, link.endedByName),
    deleted: deletedAt === null ? null : t("cohorts.past.deleted", { when: times.text(deletedAt) }),
    members:
      attendees === null ? null : t("cohorts.past.members", { count: attendees, number: number(attendees) }),
  };
}
