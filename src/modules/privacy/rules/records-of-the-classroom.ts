import { erasedId, type HeldRecord, type PersonRule, type PersonSubject } from "./held-record.ts";

const anyOf = (ids: readonly string[]) => ({ $in: [...ids] });
const inEnvironment = ({ environment, soleUserIds }: PersonSubject, field: string) => ({
  environment,
  [field]: anyOf(soleUserIds),
});

const listedIn = (list: "organizers" | "attendees"): PersonRule => ({
  over: "once",
  find: (who) => inEnvironment(who, `${list}.userId`),
  change: ({ soleUserIds }) => ({ update: { $pull: { [list]: { userId: anyOf(soleUserIds) } } } }),
});

/**
 * Records of the classroom's environment. They may concern several LMSs, so a person is found in them by users of the
 * classroom that are nobody else's, and they outlive an LMS.
 */
export const recordsOfTheClassroom: readonly HeldRecord[] = [
  {
    model: "Receipt",
    key: "webhooks",
    holds: "bodies of webhooks as they came, with user ids of the classroom",
    kept: "90 days after they took effect; what failed is kept for a replay, or RETENTION_DAYS where that is set. The body of one that names an erased person is replaced",
    // No index finds a user in a body: `redactReceipts` goes through them.
    person: [],
    ofCourses: null,
    ofRegistration: null,
  },
  {
    model: "UnmatchedAttendance",
    key: "unmatched",
    holds: "what the classroom told about users whom nobody knows, by user id",
    kept: "180 days after it was told last; longer while an instructor's match stands on it",
    person: [
      { over: "once", find: (who) => inEnvironment(who, "userId") },
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), userId: anyOf(userIds) }),
      },
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({
          courseId: anyOf(courseIds),
          "history.updatedBy": anyOf(userIds),
        }),
        change: ({ userIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(userIds) }],
        }),
      },
    ],
    given: [
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), userId: anyOf(userIds) }),
        fields: ["eventId", "userId", "history", "toldAt"],
      },
    ],
    ofCourses: (_registrationId, courseIds) => ({ courseId: anyOf(courseIds) }),
    ofRegistration: null,
  },
  {
    model: "Presence",
    key: "presences",
    holds: "who was in a Space when, and when their tab was hidden, by user id of the classroom",
    kept: "90 days after it was told last",
    person: [{ over: "once", find: (who) => inEnvironment(who, "userId") }],
    given: [
      {
        over: "once",
        find: (who) => inEnvironment(who, "userId"),
        fields: ["spaceId", "sessionId", "signs", "firstAt", "lastAt", "endedAt"],
      },
    ],
    ofCourses: null,
    ofRegistration: null,
    purged: { days: 90, field: "lastAt" },
  },
  {
    model: "Cohort",
    key: "cohorts",
    holds:
      "names and user ids of organizers and attendees of the classroom's cohorts; the user id of who changed one last",
    kept: "as long as the tool; it belongs to the classroom's account",
    person: [
      listedIn("organizers"),
      listedIn("attendees"),
      {
        over: "once",
        find: (who) => inEnvironment(who, "changedBy"),
        change: () => ({ update: { $set: { changedBy: erasedId } } }),
      },
    ],
    ofCourses: null,
    ofRegistration: null,
  },
  {
    model: "ClassroomAlert",
    key: "alerts",
    holds:
      "alerts of the classroom: user ids of the assignee and of who changed them; who has seen them here",
    kept: "as long as the tool; it belongs to the classroom's account",
    person: [
      {
        over: "once",
        find: (who) => inEnvironment(who, "assigneeId"),
        change: () => ({ update: { $set: { assigneeId: erasedId } } }),
      },
      {
        over: "once",
        find: (who) => inEnvironment(who, "history.updatedBy"),
        change: ({ soleUserIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(soleUserIds) }],
        }),
      },
      {
        over: "once",
        find: ({ environment, personIds }) => ({ environment, "seen.personId": anyOf(personIds) }),
        change: () => ({ update: { $set: { "seen.personId": erasedId } } }),
      },
    ],
    ofCourses: null,
    ofRegistration: null,
  },
  {
    model: "AskedEvent",
    key: "askedEvents",
    holds: "when the classroom was asked about an event; no person",
    kept: "90 days",
    person: [],
    ofCourses: null,
    ofRegistration: null,
    purged: { days: 90, field: "askedAt" },
  },
  {
    model: "SpaceRecording",
    key: "recordings",
    holds: "times, titles and addresses of recordings; no person unless a title names one",
    kept: "with the last course of their Space",
    person: [],
    ofCourses: null,
    ofRegistration: null,
  },
  {
    model: "RecordingText",
    key: "recordingTexts",
    holds: "transcripts and summaries that came as text: what was said in a class, and names in it",
    kept: "until the classroom has the recording no more, else with the last course of the Space. Names of an erased person are taken out",
    // By name, which only they themselves have: `takeOutNames` goes before their record does.
    person: [],
    ofCourses: null,
    ofRegistration: null,
  },
  {
    model: "SessionEnd",
    key: "sessionEnds",
    holds: "when sessions of a Space ended; no person",
    kept: "with the last course of the Space",
    person: [],
    ofCourses: null,
    ofRegistration: null,
  },
  {
    model: "SeriesChange",
    key: "seriesChanges",
    holds: "that a series of sessions was changed in the classroom, and the user id of who changed it",
    kept: "90 days",
    person: [
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), by: anyOf(userIds) }),
        change: () => ({ update: { $set: { by: erasedId } } }),
      },
    ],
    ofCourses: (_registrationId, courseIds) => ({ courseId: anyOf(courseIds) }),
    ofRegistration: null,
    purged: { days: 90, field: "at" },
  },
  {
    model: "UnknownWebhook",
    key: "unknownWebhooks",
    holds: "how many webhooks came with names that are not known; no person",
    kept: "as long as the tool; a few hundred names at most",
    person: [],
    ofCourses: null,
    ofRegistration: null,
  },
];
