import type { AccountId } from "../../../domain/account.ts";
import { inEnvironment, words } from "../../../domain/held-record.ts";
import { describeRecord, index, type ItemOf } from "../../../domain/record.ts";
import { flag, json, number, text, textOf } from "../../../domain/record-fields.ts";
import type { Figure, FigureSeries } from "../../../domain/session-figures.ts";

/** Days after a session's end. */
const keptDays = 180;

/** What the classroom says of a session that is over; times in ms. */
export const sessionFiguresRecord = describeRecord("SessionFigures", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    spaceId: text,
    sessionId: text,
    startedAt: number.orNull,
    endedAt: number,
    readAt: number,
    figures: json<readonly Figure[]>(),
    series: json<readonly FigureSeries[]>(),
    cut: flag,
  },
  indexes: [index("environment", "spaceId", "-endedAt"), index("endedAt")],
  held: {
    key: "sessionFigures",
    holds: "what the classroom reports of sessions that are over: engagement, networks, devices; no person",
    kept: `${String(keptDays)} days after the session`,
    purged: { days: keptDays, field: "endedAt" },
  },
});
export type KeptFigures = ItemOf<typeof sessionFiguresRecord>;

/** The same of one person. */
export const personFiguresRecord = describeRecord("PersonFigures", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    sessionId: text,
    userId: text,
    endedAt: number,
    figures: json<readonly Figure[]>(),
  },
  indexes: [index("environment", "sessionId"), index("environment", "userId", "endedAt"), index("endedAt")],
  held: {
    key: "personFigures",
    holds: "what the classroom reports of a person in a session that is over, by user id of the classroom",
    kept: `${String(keptDays)} days after the session`,
    person: [{ over: "once", find: (who) => inEnvironment(who, "userId") }],
    given: [
      {
        over: "once",
        find: (who) => inEnvironment(who, "userId"),
        fields: words("sessionId endedAt figures"),
      },
    ],
    purged: { days: keptDays, field: "endedAt" },
  },
});
export type KeptPersonFigures = ItemOf<typeof personFiguresRecord>;

export const analyticsRecords = [sessionFiguresRecord, personFiguresRecord];
