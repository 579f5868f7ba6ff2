import { erasureRecord } from "./erasure.ts";
import { describeRecord, index, number, text } from "../../../domain/record.ts";

export const erasureSaltRecord = describeRecord("ErasureSalt", {
  id: null,
  fields: { salt: text },
  held: {
    key: "salts",
    holds: "a random number an LMS's digests are made with; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

export const tombstoneRecord = describeRecord("Tombstone", {
  id: null,
  fields: {
    registrationId: text,
    erasureId: text,
    erasedAt: number,
    risenAt: number.orNull,
  },
  indexes: [index("registrationId", "erasureId"), index("erasedAt")],
  held: {
    key: "tombstones",
    holds: "digests of ids of erased people, so that nothing brings them back",
    kept: "730 days, or with the LMS",
    purged: { days: 730, field: "erasedAt" },
  },
});

export const privacyRecords = [erasureRecord, erasureSaltRecord, tombstoneRecord];
