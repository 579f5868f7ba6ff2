import type { Member } from "../../../domain/course.ts";

/** A member as they are stored. Records of earlier versions lack the optional fields. */
export type MemberRow = Omit<Member, "id"> & {
  _id: string;
  /** What the person is sorted by in lists; a copy, because a store cannot sort by another record. */
  listName: string;
  /** The sections as one text, which an index can look through. */
  sectionKey?: string | null;
  /**
   * The role in which the classroom was last seen to know the person, which stays so; missing while nobody looked. Earlier
   * versions wrote true.
   */
  ready?: Member["role"] | true | null;
};

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
