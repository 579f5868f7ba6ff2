import type { Member, memberRecord } from "../../../domain/course.ts";
import type { RowOf } from "../../../domain/record.ts";

/** A member as they are stored. */
export type MemberRow = RowOf<typeof memberRecord>;
export type MemberKey = Pick<Member, "registrationId" | "courseId">;
/** A member with what they are sorted by. */
export type ListedMember = Member & { listName: string };

/** What records of earlier versions lack: they came from launches. */
const earlier: Partial<MemberRow> = {
  roleFrom: "launch",
  active: true,
  sectionIds: [],
  sectionsTold: false,
  listName: "",
  lastEntry: null,
};

/** A stored member as lists use them. */
export function toListed({ _id, sectionKey: _key, ready: _ready, ...member }: MemberRow): ListedMember {
  return { id: _id, ...earlier, ...member };
}

/** A stored member. */
export function toMember(row: MemberRow): Member {
  const { listName: _name, ...member } = toListed(row);
  return member;
}
