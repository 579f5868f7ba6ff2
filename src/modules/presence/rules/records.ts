import type { PresenceSign } from "./presence.ts";
import type { AccountId } from "../../../domain/account.ts";
import { describeRecord, flag, index, json, number, text, textOf } from "../../../domain/record.ts";
import { words, inEnvironment } from "../../../domain/held-record.ts";

export const presenceRecord = describeRecord("Presence", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    spaceId: text,
    sessionId: text.or(""),
    userId: text,
    signs: json<readonly PresenceSign[]>(),
    firstAt: number,
    lastAt: number,
    /** In the Space, as far as reported. */
    open: flag,
    /** Null while not reported. */
    endedAt: number.orNull,
  },
  hidden: {
    /** Grows with every signal, so that `open` is never written from an older state. */
    revision: number,
  },
  indexes: [
    index("environment", "userId", "firstAt"),
    index("environment", "spaceId", "open", "-lastAt"),
    index("lastAt"),
  ],
  held: {
    key: "presences",
    holds: "who was in a Space when, and when their tab was hidden, by user id of the classroom",
    kept: "90 days after it was told last",
    person: [{ over: "once", find: (who) => inEnvironment(who, "userId") }],
    given: [
      {
        over: "once",
        find: (who) => inEnvironment(who, "userId"),
        fields: words("spaceId sessionId signs firstAt lastAt endedAt"),
      },
    ],
    purged: { days: 90, field: "lastAt" },
  },
});

export const presenceRecords = [presenceRecord];
