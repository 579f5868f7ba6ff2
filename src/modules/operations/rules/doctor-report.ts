/** One thing the doctor looked at; see the finding of the same shape in classroom/doctor. */
export type DoctorFinding = {
  about: string;
  level: "fine" | "note" | "wrong";
  message: string;
  todo: string | null;
};

/** What the doctor found, as it is kept. */
export type DoctorFound = {
  /** False when something is wrong. */
  well: boolean;
  tool: readonly DoctorFinding[];
  environments: readonly { environment: string; findings: readonly DoctorFinding[] }[];
  /** What the dialect file needs besides what it holds, as JSON; null when nothing was found. */
  dialect: string | null;
};

/** The latest examination that was asked for. */
export type DoctorRun = {
  /** Milliseconds since the epoch; null before the first. */
  startedAt: number | null;
  /** Under way until then, unless its process gives a sign of life (ms). */
  leaseUntil: number;
  /** When the latest result came; null when there is none. */
  endedAt: number | null;
  found: DoctorFound | null;
  /** Why the latest examination gave no result; null when it did. */
  problem: string | null;
};
