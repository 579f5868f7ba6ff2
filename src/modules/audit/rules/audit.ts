/** What an operator did; each is told in words by the message of the same name. */
export type AuditAction =
  | "logged-in"
  | "wrong-password"
  | "log-in-blocked"
  | "invitation-made"
  | "registration-added"
  | "defaults-changed"
  | "family-changed"
  | "same-lms"
  | "registration-switched-on"
  | "registration-switched-off"
  | "deployment-accepted"
  | "deployment-refused"
  | "new-deployments-accepted"
  | "new-deployments-refused"
  | "audiences-changed"
  | "key-rotated"
  | "key-replaced"
  | "person-erased"
  | "person-exported"
  | "course-erased"
  | "course-exported"
  | "registration-uninstalled"
  | "job-started"
  | "webhooks-replayed"
  | "administrator-entered"
  | "administrators-let-in"
  | "administrators-kept-out"
  | "connection-tested"
  | "roster-asked-for"
  | "scores-tried-again"
  | "scores-sent-again"
  | "sessions-ended"
  | "secrets-resealed"
  | "space-approved"
  | "space-refused"
  | "space-withdrawn"
  | "space-closed"
  | "doctor-asked";

/** One line of the audit log. It holds no secret and no person's name. */
export type AuditEntry = {
  /** Sorts by time: of two entries the later has the greater id. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Where it was done; the console has one password and therefore one name. */
  who: "console" | "command-line" | "lms-administrator";
  /** The person id of an LMS's administrator; left out of everything else. */
  personId?: string;
  what: AuditAction;
  /** The registration it was done to; null when it was done to none. */
  registrationId: string | null;
  /** What it was done to, in words people recognise: an LMS's name, a deployment id, an environment. */
  on: string;
};
