/** absences: that many · row: that many in a row · below: attended less than that percent. */
export const limitKinds = ["absences", "row", "below"] as const;

/** A number of absences, or a share, that an institution has named. */
export type AttendanceLimit = {
  kind: (typeof limitKinds)[number];
  number: number;
  /** In the institution's words. */
  label: string;
};

/** What an institution watches in its courses. */
export type AttendanceLimits = {
  list: readonly AttendanceLimit[];
  /** Whether a learner who reaches one gets an e-mail. */
  mail: boolean;
};

export const noLimits: AttendanceLimits = { list: [], mail: false };
/** Of a label (UTF-16 units). */
export const maxLimitLabel = 60;
/** A percent, and more absences than anybody counts. */
export const maxLimitNumber = 100;

/** The same for a limit whose label changed. */
export function limitKey({ kind, number }: Pick<AttendanceLimit, "kind" | "number">): string {
  return `${kind}-${number}`;
}
