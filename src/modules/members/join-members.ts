import type { App } from "../../app.ts";
import type { Member } from "../../domain/course.ts";
import type { PersonSubject } from "../../domain/personal-data.ts";
import { byKey } from "../../kernel/lists.ts";
import { leaseMs } from "../../kernel/with-claim.ts";
import type { OfficeJoin } from "./rules/provisioning.ts";
import type { MemberKey } from "./store/member-store.ts";

/** Two accounts of one person: `personId` is the earlier account, `joinedTo` the one that counts. */
export type AccountPair = Pick<OfficeJoin, "personId" | "joinedTo">;

/** learners-only: one of them teaches, or is no learner · taken: one is already joined · left: the account that is to count has left the course. */
export type JoinProblem = "learners-only" | "taken" | "left";

/** Joins two accounts in a course, but not their scores. @returns the problem, or null if they are joined. */
export async function joinMembers(
  { members }: Pick<App, "members">,
  key: MemberKey,
  { personId, joinedTo }: AccountPair,
  joinedByOffice: boolean,
): Promise<JoinProblem | null> {
  const found = byKey(await members.findMany(key, [personId, joinedTo]), (member) => member.personId);
  const [earlier, now] = [found.get(personId), found.get(joinedTo)];
  if (earlier === undefined || now === undefined || personId === joinedTo) return "learners-only";
  if (![earlier, now].every(isJoinable)) return "learners-only";
  if (!now.active) return "left";
  const isTaken = async () => clashes(await members.listJoined(key), { personId, joinedTo });
  if (await isTaken()) return "taken";
  if (!(await members.join(key, { personId, joinedTo, joinedByOffice }))) return "taken";
  // At this moment, another instructor may have joined one of them to a third account, or both the other way round.
  if (!(await isTaken())) return null;
  await members.separate(key, personId, joinedTo);
  return "taken";
}

/** Separates joined accounts before one is erased, so the other keeps its own facts. The scores follow soon after. */
export async function separateErased(
  app: Pick<App, "clock" | "ids" | "members" | "pendingRegrades">,
  { registrationId, personIds, courseIds }: Pick<PersonSubject, "registrationId" | "personIds" | "courseIds">,
): Promise<void> {
  for (const courseId of courseIds) {
    const key = { registrationId, courseId };
    for (const { personId, joinedTo } of await app.members.listJoined(key)) {
      if (joinedTo == null || ![personId, joinedTo].some((one) => personIds.includes(one))) continue;
      const stays = [personId, joinedTo].filter((one) => !personIds.includes(one));
      const note = { id: app.ids.id("prg"), ...key, personIds: stays, dueAt: app.clock.now() + leaseMs };
      await app.pendingRegrades.note(note);
      await app.members.separate(key, personId, joinedTo);
    }
  }
}

/** An account can be joined to one other account, which must not itself be joined. */
export function clashes(
  joined: readonly Pick<Member, "personId" | "joinedTo">[],
  { personId, joinedTo }: AccountPair,
): boolean {
  return joined.some(
    (one) =>
      one.personId === joinedTo ||
      one.joinedTo === personId ||
      (one.personId === personId && one.joinedTo !== joinedTo),
  );
}

export function isJoinable({ role, testUser, student }: Member): boolean {
  return role === "learner" && student && !testUser;
}

/** Joins two accounts once both are in the course. The one that is in it now counts, because an LMS that merges accounts may keep the earlier one. */
export async function joinByOffice(
  app: Pick<App, "members">,
  key: MemberKey,
  { personId, joinedTo }: AccountPair,
): Promise<JoinProblem | null> {
  const problem = await joinMembers(app, key, { personId, joinedTo }, true);
  return problem === "left"
    ? joinMembers(app, key, { personId: joinedTo, joinedTo: personId }, true)
    : problem;
}
