import { letOthersRun } from "../../kernel/async.ts";
import type { ListedMember, MemberKey, MemberStore } from "./store/member-store.ts";

const batchSize = 500;

/** Everybody in a course in list order: present members first, then by name. */
export async function everyMember(
  deps: { members: Pick<MemberStore, "listAfter"> },
  key: MemberKey,
): Promise<ListedMember[]> {
  const members: ListedMember[] = [];
  for (;;) {
    const some = await deps.members.listAfter(key, members.at(-1)?.personId ?? "", batchSize);
    members.push(...some);
    if (some.length < batchSize) break;
    await letOthersRun();
  }
  return members.sort(inListOrder);
}

export function inListOrder(one: ListedMember, other: ListedMember): number {
  if (one.active !== other.active) return one.active ? -1 : 1;
  if (one.listName !== other.listName) return one.listName < other.listName ? -1 : 1;
  return one.personId < other.personId ? -1 : 1;
}
