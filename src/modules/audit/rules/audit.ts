import { describeRecord, index, type ItemOf, onlyWhere, unique } from "../../../domain/record.ts";
import { json, number, textOf, text } from "../../../domain/record-fields.ts";
import { erasedId } from "../../../domain/held-record.ts";

/** What an operator did; messages have the same names. */
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
  | "audit-faults-accepted";

/** Joins an entry to the one before it (`audit-chain.ts`). */
export type ChainLink = {
  /** From 1, without gaps. */
  seq: number;
  /** Digest of the entry before; empty for the first. */
  previous: string;
  /** When that one was made (ms); 0 for the first. */
  previousAt: number;
  /** Salted digest of whom and what the entry names. */
  named: string;
  /** Of all the entry but whom it names, with `named` and `previous`. */
  digest: string;
};

/** Holds no secret, and no name but an operator's e-mail address. */
export const auditEntryRecord = describeRecord("AuditEntry", {
  fields: {
    at: number,
    /** Where it was done. */
    who: textOf<"console" | "command-line" | "lms-administrator">(),
    what: textOf<AuditAction>(),
    /** The registration it was done to; null for none. */
    registrationId: text.orNull,
    /** What it was done to, in words people recognise: an LMS's name, a deployment id, an environment. */
    on: text.or(""),
    /** Of an LMS's administrator; else left out. */
    personId: text.optional,
    /** E-mail address of whoever logged in by a provider; left out with the password. */
    operator: text.optional,
    /**
     * Id of the request in which it was done, as in the log lines; left out by commands and by earlier versions. No digest
     * covers it, so that instances of an earlier version find no fault in the chain.
     */
    request: text.optional,
    /** Of the digest of whom it names; emptied when that is a person who is erased. */
    salt: text.optional,
    /** Left out by entries of earlier versions. */
    link: json<ChainLink>().optional,
  },
  indexes: [
    index("registrationId", "-_id"),
    index("at"),
    onlyWhere({ request: { $gt: "" } }, index("request")),
    onlyWhere({ "link.seq": { $gt: 0 } }, unique("link.seq"), "chain"),
  ],
  held: {
    key: "audit",
    holds:
      "what operators did, with their e-mail addresses where they log in by a provider (personal data of staff); which administrator of an LMS did it and whose data were given out, by our id",
    kept: "730 days, also after an LMS was uninstalled",
    person: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, personId: { $in: [...personIds] } }),
        change: () => ({ update: { $set: { personId: erasedId, salt: "" } } }),
      },
      {
        // The id may be of the person whose data were given out.
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, on: { $in: [...personIds] } }),
        change: () => ({ update: { $set: { on: erasedId, salt: "" } } }),
      },
    ],
    ofRegistration: null,
    purged: { days: 730, field: "at" },
    names: [
      { path: "personId", among: "registration", empties: "salt" },
      { path: "on", among: "registration", empties: "salt" },
    ],
  },
});
export type AuditEntry = ItemOf<typeof auditEntryRecord>;
/** An entry before it has its place in the chain. */
export type SaltedFacts = Omit<AuditEntry, "link" | "salt"> & { salt: string };
export type LinkedEntry = SaltedFacts & { link: ChainLink };
