import type { Member, Person } from "./course.ts";

/** A role in the classroom: API users are created "per host and per participant" (interface document 1 and 2). */
export type ClassroomRole = "host" | "participant";

export type ApiUser = {
  id: string;
  /** As sent to the classroom; null when none was, or for users of early versions. */
  name: string | null;
};

/** `unknown`: of users made in a role that is not known (early versions, or users have no role there): reports count, no one enters with them. */
export type ApiUsers = Record<ClassroomRole | "unknown", ApiUser | null>;

export const noApiUsers: ApiUsers = { host: null, participant: null, unknown: null };

export const apiUserSlots = ["host", "participant", "unknown"] as const;

/** The classroom role for a role in a course; rights come from that course only. */
export function classroomRoleOf(role: Member["role"]): ClassroomRole {
  return role === "instructor" ? "host" : "participant";
}

/** All classroom users of a person; one that serves both roles once. */
export function usersOf({ apiUsers }: Pick<Person, "apiUsers">): ApiUser[] {
  const users = apiUserSlots.flatMap((slot) => apiUsers[slot] ?? []);
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

export function userIdsOf(person: Pick<Person, "apiUsers">): string[] {
  return usersOf(person).map(({ id }) => id);
}

/** The role a user was made with; "unknown" when it serves both. */
export function madeAs({ apiUsers }: Pick<Person, "apiUsers">, userId: string): ClassroomRole | "unknown" {
  const [slot = "unknown", ...others] = apiUserSlots.filter((one) => apiUsers[one]?.id === userId);
  return others.length === 0 ? slot : "unknown";
}

/** Our own id of a user, sent to the classroom so that its record can be found again: stable, one for each role of a person. */
export function referenceOf(personId: string, role: ClassroomRole | "unknown"): string {
  return role === "unknown" ? personId : `${personId}-${role}`;
}
