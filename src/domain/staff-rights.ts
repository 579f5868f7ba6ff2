/** settings: arrange course, sessions, people, recordings · grades: see learners' attendance and grades · corrections: change them. */
export type Capability = "settings" | "grades" | "corrections";

/** Roles that may arrange a course without teaching in it. */
export const otherStaff = ["developer", "administrator", "manager"] as const;
export type OtherStaff = (typeof otherStaff)[number];

/** By a launch; a person who teaches beside another role is a teacher. */
export type StaffRole = "teacher" | OtherStaff;

export function doesNotTeach(staffRole: StaffRole | null): boolean {
  return staffRole !== null && staffRole !== "teacher";
}

/** What an institution lets non-teaching staff do: only arrange the course, or all that a teacher may. */
export const staffLevels = ["arrange", "teach"] as const;
export type StaffLevel = (typeof staffLevels)[number];

/** A role that is left out arranges. */
export type StaffLevels = Partial<Record<OtherStaff, StaffLevel>>;

const everything: readonly Capability[] = ["settings", "grades", "corrections"];
const arranging: readonly Capability[] = ["settings"];

/** @param staffRole Null for people who are no staff: they may do nothing. */
export function capabilitiesOf(
  staffRole: StaffRole | null,
  levels: StaffLevels | undefined,
): readonly Capability[] {
  if (staffRole === null) return [];
  if (staffRole === "teacher") return everything;
  return levels?.[staffRole] === "teach" ? everything : arranging;
}
