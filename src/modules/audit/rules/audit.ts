import { erasedId } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { courseAuditEntryRecord } from "./course-audit.ts";

/** What an operator did. Messages have the same names. */
export type AuditAction =
  | "logged-in"
  | "console-session-ended"
  | "wrong-password"
  | "log-in-blocked"
  | "invitation-made"
  | "registration-added"
  | "defaults-changed"
  | "look-changed"
  | "family-changed"
  | "same-lms"
  | "registration-switched-on"
  | "registration-switched-off"
  | "deployment-accepted"
  | "deployment-refused"
  | "new-deployments-accepted"
  | "new-deployments-refused"
  | "audiences-changed"
  | "description-sent"
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
  | "doctor-asked"
  | "account-added"
  | "account-changed"
  | "account-key-rotated"
  | "account-secret-rotated"
  | "account-secret-ended"
  | "account-paused"
  | "account-resumed"
  | "account-removed"
  | "webhooks-connected"
  | "account-bound"
  | "audit-log-exported"
  | "list-downloaded"
  | "api-key-made"
  | "api-key-ended"
  | "accounts-joined"
  | "accounts-separated"
  | "person-excused"
  | "person-excuse-taken-back";

/** Contains no secret, and no name except an operator's e-mail address. */
export const auditEntryRecord = describeRecord("AuditEntry", {
  fields: {
    at: field.number,
    /** Where it was done. */
    who: field.textOf<"console" | "command-line" | "lms-administrator">(),
    what: field.textOf<AuditAction>(),
    /** The registration it was done to, or null. */
    registrationId: field.text.orNull,
    /** What it was done to, in words people recognize: an LMS's name, a deployment id, an account. */
    on: field.text.or(""),
    /** The LMS administrator's person id. Otherwise left out. */
    personId: field.text.optional,
    /** E-mail address of an operator who logged in through a provider. Left out with the password. */
    operator: field.text.optional,
    /** Id of the request in which it was done, as in the log lines. Left out by commands. */
    request: field.text.optional,
    /** Whether it still has to be written into the tool's own log. */
    unlogged: field.flag.optional,
  },
  indexes: [
    index("registrationId", "-_id"),
    index("registrationId", "personId"),
    index("registrationId", "on"),
    index("at"),
    index.onlyWhere({ request: { $gt: "" } }, index("request")),
    index.onlyWhere({ unlogged: true }, index("unlogged")),
  ],
  personalData: {
    key: "audit",
    holds:
      "what operators did, with the e-mail addresses of those who log in by a provider; what administrators of an LMS did, and whose data was exported, by our id",
    stored: "730 days, even after the LMS is uninstalled",
    person: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, personId: { $in: [...personIds] } }),
        change: () => ({ update: { $set: { personId: erasedId } } }),
      },
      {
        // The id may be that of the person whose data were given out.
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, on: { $in: [...personIds] } }),
        change: () => ({ update: { $set: { on: erasedId } } }),
      },
    ],
    ofRegistration: null,
    purged: { days: 730, field: "at" },
    names: [
      { path: "personId", among: "registration" },
      { path: "on", among: "registration" },
    ],
  },
});
export type AuditEntry = Omit<ItemOf<typeof auditEntryRecord>, "unlogged">;

export const auditRecords = [auditEntryRecord, courseAuditEntryRecord];
