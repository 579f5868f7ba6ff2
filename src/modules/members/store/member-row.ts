import type { Member, memberRecord } from "../../../domain/course.ts";
import type { RowOf } from "../../../domain/record.ts";

export type MemberRow = RowOf<typeof memberRecord>;
export type MemberKey = Pick<Member, "registrationId" | "courseId">;
export type ListedMember = Member & { listName: string };

/** Earlier records came from launches. */
const earlier: Partial<MemberRow> = {
  roleFrom: "launch",
  active: true,
  sectionIds: [],
  sectionsTold: false,
  listName: "",
  lastEntry: null,
};

export function toListed({ _id, sectionKey: _key, ready: _ready, ...member }: MemberRow): ListedMember {
  return { id: _id, ...earlier, ...member };
}

export function toMember(row: MemberRow): Member {
  const { listName: _name, ...member } = toListed(row);
  return member;
}
