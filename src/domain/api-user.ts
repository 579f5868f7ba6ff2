import type { Member, Person } from "./course.ts";

/** What somebody is in the classroom: API users are created "per host and per participant" (interface document 1 and 2). */
export type ClassroomRole = "host" | "participant";

/** A user of the classroom that the tool made for somebody. */
export type ApiUser = {
  /** The classroom's user id. */
  id: string;
  /** The name the classroom was given; null when it was given none, or before we kept it. */
  name: string | null;
};

/**
 * A person's users in the classroom, at most one for each role. `unknown` is one of which nobody knows the role it was made with,
 * from before users were kept by role or from a classroom whose users have none: what the classroom tells of it is the
 * person's, and nobody enters as it.
 */
export type ApiUsers = Record<ClassroomRole | "unknown", ApiUser | null>;

/** Of somebody whom the classroom does not know. */
export const noApiUsers: ApiUsers = { host: null, participant: null, unknown: null };

/** Where a person's users are kept. */
export const apiUserSlots = ["host", "participant", "unknown"] as const;

/** The role in the classroom of who has a role in a course: rights come from that course only. */
export function classroomRoleOf(role: Member["role"]): ClassroomRole {
  return role === "instructor" ? "host" : "participant";
}

/** Everybody a person is in the classroom; a user that stands for both roles once. */
export function usersOf({ apiUsers }: Pick<Person, "apiUsers">): ApiUser[] {
  const users = apiUserSlots.flatMap((slot) => apiUsers[slot] ?? []);
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

/** As {@link usersOf}, the ids only. */
export function userIdsOf(person: Pick<Person, "apiUsers">): string[] {
  return usersOf(person).map(({ id }) => id);
}

/** What a user was made as; one that stands for both roles was made as neither. */
export function madeAs({ apiUsers }: Pick<Person, "apiUsers">, userId: string): ClassroomRole | "unknown" {
  const [slot = "unknown", ...others] = apiUserSlots.filter((one) => apiUsers[one]?.id === userId);
  return others.length === 0 ? slot : "unknown";
}

/**
 * What the classroom is told as our own id of a user, so that its record can be found again: another one for each role of a
 * person, and the same whenever it is tried again. A user of no role has the person's id.
 */
export function referenceOf(personId: string, role: ClassroomRole | "unknown"): string {
  return role === "unknown" ? personId : `${personId}-${role}`;
}
