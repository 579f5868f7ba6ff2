import type { Person } from "../../../domain/course.ts";
import { personName } from "../../../domain/person-name.ts";
import type { SpaceList } from "../../spaces/space-list.ts";
import { inList } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** Names written out. */
const maxNames = 8;

/** One sentence each; also for those who joined later. @param spaceList Null while there is no Space. */
export function spaceListLines(t: Translate, spaceList: SpaceList | null): string[] {
  if (spaceList === null) return [];
  const { hosts, later, hasHosts, learners, failed, isPrivate, adds } = spaceList;
  const named = (key: "hosts" | "later" | "laterAdded" | "failed", people: readonly Person[]) =>
    people.length === 0 ? [] : [t(`spaceList.${key}`, { names: namesOf(t, people) })];
  const addsHosts = adds.includes("host");
  return [
    ...named("hosts", hosts),
    ...(hasHosts ? named(addsHosts ? "laterAdded" : "later", later) : [t("spaceList.noHosts")]),
    ...(isPrivate && !adds.includes("participant") ? [t("spaceList.learners", { number: learners })] : []),
    ...named("failed", failed),
  ];
}

function namesOf(t: Translate, people: readonly Person[]): string {
  const names = people.slice(0, maxNames).map((person) => personName(person, "instructor"));
  const rest = people.length - names.length;
  return inList(t, rest === 0 ? names : [...names, t("spaceList.more", { number: rest })]);
}
