export type DoctorFinding = {
  about: string;
  level: "fine" | "note" | "wrong";
  /** In English. */
  message: string;
  todo: string | null;
  /** By their codes in the catalogue `doctor`; null where there is only English. */
  seen: DoctorSentence | null;
  advice: DoctorSentence | null;
  /** What the service answered, without secrets; null where nothing was asked. */
  reply: string | null;
};

export type DoctorSentence = { code: string; values: Readonly<Record<string, string | number>> };

export type DoctorFound = {
  well: boolean;
  tool: readonly DoctorFinding[];
  environments: readonly { environment: string; findings: readonly DoctorFinding[] }[];
};

export type DoctorRun = {
  startedAt: number | null;
  /** Its claim (ms). */
  leaseUntil: number;
  /** When the latest result came; null for none. */
  endedAt: number | null;
  found: DoctorFound | null;
  /** Why the latest examination gave no result; null when it did. */
  problem: string | null;
};
