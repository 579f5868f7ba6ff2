import { lmsPauseRecord } from "./lms-pause.ts";
import { deploymentRecord, invitationRecord, registrationRecord } from "../../../domain/registration.ts";
import {
  date,
  describeRecord,
  expiry,
  index,
  json,
  number,
  text,
  texts,
  unique,
} from "../../../domain/record.ts";

export const accessTokenRecord = describeRecord("AccessToken", {
  id: null,
  fields: {
    registrationId: text,
    scopes: text,
    sealedToken: text,
    expiresAt: date,
  },
  indexes: [expiry("expiresAt")],
  held: {
    key: "accessTokens",
    holds: "sealed access tokens of an LMS; no person",
    kept: "until they run out; then the store deletes them",
  },
});

export const connectionTestRecord = describeRecord("ConnectionTest", {
  id: null,
  fields: { checkedAt: number, checks: json<readonly unknown[]>() },
  held: {
    key: "connectionTests",
    holds: "what came of the latest test of an LMS; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

export const toolKeyRecord = describeRecord("ToolKey", {
  id: "kid",
  fields: {
    registrationId: text,
    /** 1, 2, 3 ... within the registration, so that two processes cannot both make the next key. */
    generation: number,
    publicKey: text,
    sealedPrivateKey: text,
    notBefore: number,
    retiredAt: number.orNull,
    createdAt: number,
  },
  indexes: [unique("registrationId", "generation")],
  held: {
    key: "keys",
    holds: "signing keys of the tool, sealed; no person",
    kept: "until withdrawn long enough",
  },
});

export const nonceRecord = describeRecord("Nonce", {
  id: null,
  fields: { expiresAt: date },
  indexes: [expiry("expiresAt")],
  held: {
    key: "nonces",
    holds: "nonces of launches; no person",
    kept: "minutes; then the store deletes them",
  },
});

/** References of refused launches that are kept of one LMS and reason. */
export const maxReferences = 50;

export const refusedLaunchRecord = describeRecord("RefusedLaunch", {
  id: null,
  fields: {
    /** "" where the request named no registered LMS; then it is known by what the request said. */
    registrationId: text,
    issuer: text,
    clientId: text,
    code: text,
    count: number,
    firstAt: number,
    lastAt: number,
    /** Of the latest one, as on its page and in the log. */
    reference: text,
  },
  hidden: {
    expiresAt: date,
    /** Of the latest ones, latest last; missing in earlier versions. */
    references: texts.optional,
  },
  indexes: [index("references"), expiry("expiresAt")],
  held: {
    key: "refusedLaunches",
    holds: "how many launches of an LMS were refused, and why; no person",
    kept: "30 days after the latest one; then the store deletes them",
    ofRegistration: (registrationId) => ({ registrationId }),
  },
});

/** How many launches of an LMS were refused in one hour; kept as long as daily sums may still need it. */
export const failedLaunchHourRecord = describeRecord("FailedLaunchHour", {
  id: null,
  fields: {
    /** "" for launches of no registered LMS. */
    registrationId: text,
    /** When the hour began (ms, UTC). */
    hour: number,
    count: number,
  },
  hidden: { expiresAt: date },
  indexes: [index("hour", "registrationId"), expiry("expiresAt")],
  held: {
    key: "failedLaunchHours",
    holds: "how many launches of an LMS were refused in each hour; no person",
    kept: "three weeks; then the store deletes them",
    ofRegistration: (registrationId) => ({ registrationId }),
  },
});

export const registrationRecords = [
  accessTokenRecord,
  connectionTestRecord,
  deploymentRecord,
  invitationRecord,
  lmsPauseRecord,
  toolKeyRecord,
  nonceRecord,
  refusedLaunchRecord,
  failedLaunchHourRecord,
  registrationRecord,
];
