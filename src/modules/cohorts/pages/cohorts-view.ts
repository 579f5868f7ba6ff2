import type { App } from "../../../app.ts";
import type { Person } from "../../../domain/course.ts";
import { fullName } from "../../../domain/person-name.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import type { CohortStranger, ComparedLink, DifferencePage } from "../compare-sections.ts";
import {
  type Cohort,
  type CohortDifference,
  cohortName,
  deletedSince,
  type PeopleCut,
} from "../rules/cohort.ts";
import type { PastLink } from "../section-links.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import type { MessageKey } from "../../../web/english.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";

type CohortWords = {
  t: Translate;
  times: CourseTimes;
  groups: boolean;
  /** Of people who changed a cohort in the classroom, by user id there. */
  users?: ReadonlyMap<string, string>;
};

export type LinkShown = {
  id: string;
  cohort: string;
  program: string;
  by: string;
  changed: string | null;
  deleted: string | null;
  summary: string[];
  differs: boolean;
  comparable: boolean;
};

export function linkView(words: CohortWords, one: ComparedLink, by: Person | null): LinkShown {
  const { t, times, groups } = words;
  const { link, cohort, difference } = one;
  const deletedAt = cohort === null ? null : deletedSince(cohort);
  const when = times.text(link.at);
  const name = by === null ? null : fullName(by);
  return {
    id: link.id,
    cohort: nameOf(one),
    program: t("cohorts.inProgram", { program: link.programId }),
    by: name === null ? t("cohorts.linkedAt", { when }) : t("cohorts.linkedBy", { name, when }),
    changed: cohort === null ? null : changedText(words, cohort),
    deleted:
      deletedAt === null
        ? null
        : t(cohort?.readAt === null ? "cohorts.deletedUnread" : "cohorts.deletedOn", {
            when: times.text(deletedAt),
          }),
    summary: summaryTexts(t, groups, difference),
    differs: difference.kind === "compared" && isDifferent(difference),
    comparable: difference.kind === "compared",
  };
}

/** Null for somebody unknown. */
function changedText(
  { t, times, users }: CohortWords,
  { changedAt = null, changedBy = null }: Pick<Cohort, "changedAt" | "changedBy">,
): string | null {
  const name = users?.get(changedBy ?? "");
  return name === undefined || changedAt === null
    ? null
    : t("cohorts.changedBy", { name, when: times.text(changedAt) });
}

export function nameOf({ link, cohort }: Pick<ComparedLink, "link" | "cohort">): string {
  return cohort === null ? (link.cohortName ?? link.cohortId) : cohortName(cohort);
}

function isDifferent({ onlySection, onlyCohort }: Extract<CohortDifference, { kind: "compared" }>): boolean {
  return onlySection.length + onlyCohort.length > 0;
}

function summaryTexts(t: Translate, groups: boolean, difference: CohortDifference): string[] {
  if (difference.kind === "unknown") return [t(`cohorts.summary.${difference.why}`)];
  const { onlySection, onlyCohort, withoutUser, withoutId, cut } = difference;
  const uncompared = withoutUser.length + withoutId.length;
  const counted = (key: MessageKey, count: number) =>
    count === 0 ? [] : [t(key, { count, number: numberText(t, count) })];
  const texts = [
    ...(cut === null ? [] : [cutText(t, cut)]),
    ...counted(groups ? "cohorts.summary.group" : "cohorts.summary.section", onlySection.length),
    ...counted("cohorts.summary.cohort", onlyCohort.length),
    ...counted("cohorts.summary.uncompared", uncompared),
  ];
  return texts.length === 0 ? [t("cohorts.summary.same")] : texts;
}

/** The classroom lists only some of a cohort's people. */
function cutText(t: Translate, { read, total }: PeopleCut): string {
  const number = numberText(t, read);
  return total === null
    ? t("cohorts.summary.cut", { number })
    : t("cohorts.summary.cutOf", { number, total: numberText(t, total) });
}

/** People listed of each kind. */
const maxNamed = 200;

export function differenceView(
  { t, times, groups }: CohortWords,
  { cohort, compared, why, showsNames }: DifferencePage,
  labelOf: (lmsSectionId: string) => string,
) {
  const deletedAt = cohort === null ? null : deletedSince(cohort);
  const readAt = cohort?.readAt ?? null;
  const listed = <T>(all: readonly T[]) => ({
    rows: all.slice(0, maxNamed),
    more: all.length > maxNamed ? t("cohorts.difference.more", { number: numberText(t, maxNamed) }) : null,
  });
  return {
    deleted:
      deletedAt === null
        ? null
        : t(readAt === null ? "cohorts.deletedUnread" : "cohorts.deletedOn", { when: times.text(deletedAt) }),
    readAt:
      readAt === null
        ? null
        : t(groups ? "cohorts.difference.readAtGroup" : "cohorts.difference.readAt", {
            when: times.text(readAt),
          }),
    why: why === null ? null : t(`cohorts.summary.${why}`),
    compared:
      compared === null
        ? null
        : {
            both: t("cohorts.difference.both", {
              count: compared.both,
              number: numberText(t, compared.both),
            }),
            onlySection: listed(compared.onlySection),
            onlyCohort: listed(compared.onlyCohort.map((one) => strangerView(t, groups, one, labelOf))),
            withoutUser: listed(compared.withoutUser),
            withoutId: listed(compared.withoutId.map((name) => name ?? t("cohorts.difference.nameless"))),
            organizersKnown: compared.organizersKnown,
            cut: compared.cut === null ? null : cutText(t, compared.cut),
          },
    namesHidden: !showsNames,
  };
}

function strangerView(
  t: Translate,
  groups: boolean,
  { userId, name, as, where, sectionIds }: CohortStranger,
  labelOf: (lmsSectionId: string) => string,
) {
  const user = t("cohorts.difference.user", { id: userId });
  return {
    name: name ?? user,
    user: name === null ? null : user,
    as: t(`cohorts.difference.${as}`),
    where: whereText(),
  };

  function whereText(): string {
    if (where === "elsewhere") return t("cohorts.difference.elsewhere");
    if (where === "left") return t("cohorts.difference.left");
    if (sectionIds.length === 0)
      return t(groups ? "cohorts.difference.inCourseGroup" : "cohorts.difference.inCourse");
    return t("cohorts.difference.inSections", { sections: inList(t, sectionIds.map(labelOf)) });
  }
}

export function pastLinkView(
  { t, times }: CohortWords,
  link: PastLink,
  labelOf: (lmsSectionId: string) => string,
) {
  const done = (at: number, name: string | null) => {
    const when = times.text(at);
    return name === null ? when : t("cohorts.past.by", { when, name });
  };
  return {
    section: labelOf(link.lmsSectionId),
    cohort: link.cohortNow,
    program: t("cohorts.inProgram", { program: link.programId }),
    linked: { at: new Date(link.at).toISOString(), text: done(link.at, link.byName) },
    ended:
      link.endedAt === null
        ? null
        : { at: new Date(link.endedAt).toISOString(), text: done(link.endedAt, link.endedByName) },
    deleted: link.deletedAt === null ? null : t("cohorts.past.deleted", { when: times.text(link.deletedAt) }),
    members:
      link.attendees === null
        ? null
        : t("cohorts.past.members", { count: link.attendees, number: numberText(t, link.attendees) }),
  };
}

type SectionNames = {
  /** The LMS calls them groups. */
  groups: boolean;
  /** By the LMS's id. */
  labels: (lmsSectionId: string) => string;
};

export async function sectionNames(app: App, { course, session }: InstructorVisit): Promise<SectionNames> {
  const t = app.translatorOf(session.locale);
  const { sections: kind } = capabilitiesOf(await app.registrations.find(course.registrationId));
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const unnamed = { lmsName: null, lmsSetName: null, givenName: null };
  const labels = (lmsSectionId: string) => {
    const known = sections.find((one) => one.lmsSectionId === lmsSectionId);
    return sectionLabel(t, kind, known ?? { lmsSectionId, ...unnamed });
  };
  return { groups: kind === "groups", labels };
}
