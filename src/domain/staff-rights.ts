/**
 * What staff of a course may do, each page and each change needs one of these. settings: arrange the course, its sessions,
 * people and recordings · grades: see attendance and grades of learners · corrections: change them, and the rule they come from.
 */
export type Capability = "settings" | "grades" | "corrections";

/** Roles of a course that may arrange it without teaching in it. */
export const otherStaff = ["developer", "administrator", "manager"] as const;
export type OtherStaff = (typeof otherStaff)[number];

/** Which staff a launch says that somebody is; who teaches beside something else, teaches. */
export type StaffRole = "teacher" | OtherStaff;

/** Whether somebody is staff that does not teach. */
export function doesNotTeach(staffRole: StaffRole | null): boolean {
  return staffRole !== null && staffRole !== "teacher";
}

/** What an institution lets staff do that does not teach: arrange the course only, or all that a teacher may. */
export const staffLevels = ["arrange", "teach"] as const;
export type StaffLevel = (typeof staffLevels)[number];

/** What an institution says of each role; one that is left out arranges. */
export type StaffLevels = Partial<Record<OtherStaff, StaffLevel>>;

const everything: readonly Capability[] = ["settings", "grades", "corrections"];
const arranging: readonly Capability[] = ["settings"];

/**
 * What somebody may do in a course.
 * @param staffRole Null for whoever is no staff: they may do nothing of it.
 */
export function capabilitiesOf(
  staffRole: StaffRole | null,
  levels: StaffLevels | undefined,
): readonly Capability[] {
  if (staffRole === null) return [];
  if (staffRole === "teacher") return everything;
  return levels?.[staffRole] === "teach" ? everything : arranging;
}
