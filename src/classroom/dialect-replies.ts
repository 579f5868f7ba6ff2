/** Paths of a field with these names, the most specific first: each inside the parts, then on its own. */
export function within(parts: readonly string[], names: readonly string[]): string[] {
  return names.flatMap((name) => [...parts.map((part) => `${part}.${name}`), name]);
}

/**
 * Part 8: page sizes: not shown. A list without any of these names counts as complete. If a reply names the next page's address, we
 * follow it. Otherwise we ask for pages if a route says how: every list may use {page}, {pageSize}, {offset} and {cursor}.
 */
export type PagingSettings = {
  /** Names in everything around the list. */
  reply: {
    /** The next page's address. A Link header with rel=next also counts (RFC 8288). */
    next: string[];
    /** What to send as {cursor} for the next page. */
    cursor: string[];
    more: string[];
    /** The number of pages. */
    pages: string[];
    /** Entries per page, and in total. */
    size: string[];
    total: string[];
  };
  /** The first page's number. */
  first: number;
  /** {pageSize} in routes. */
  size: number;
  /** After this many pages or seconds, a reading pauses and continues later. */
  mostPages: number;
  mostSeconds: number;
};

export const pageValues = ["page", "pageSize", "offset", "cursor"];

const parts = [
  "pagination",
  "paging",
  "pageInfo",
  "page",
  "meta.pagination",
  "meta.page",
  "meta",
  "links",
  "_links",
];

export const defaultPaging: PagingSettings = {
  reply: {
    next: within(parts, ["next", "nextUrl", "nextLink", "nextPageUrl", "nextPage"]),
    cursor: within(parts, [
      "nextCursor",
      "nextPageToken",
      "nextToken",
      "continuationToken",
      "endCursor",
      "cursor",
    ]),
    more: within(parts, ["hasMore", "hasNext", "hasNextPage", "moreAvailable"]),
    pages: within(parts, ["totalPages", "pageCount", "numPages", "lastPage"]),
    size: within(parts, ["pageSize", "perPage", "itemsPerPage", "limit"]),
    total: within(parts, [
      "totalRecords",
      "totalCount",
      "totalItems",
      "totalResults",
      "totalElements",
      "total",
    ]),
  },
  first: 1,
  size: 100,
  mostPages: 40,
  mostSeconds: 60,
};

/** What the document leaves open about recordings, except their list. */
export type RecordingSettings = {
  /** Event names, in any case. Another name containing "TRANSCRIPT" counts as a transcript; others have no effect (part 6.4). */
  events: Record<"available" | "transcript" | "unavailable", string[]>;
  /** How long after a session its recording normally comes (part 8: about an hour). */
  expectedMinutes: number;
  /** How long after a session pages say that no recording came. */
  givenUpMinutes: number;
  /**
   * "authorize": asks for a login with the recording's address as redirectUrl if that address is part of the app, and uses the plain
   * address if the service refuses.
   */
  open: "plain" | "authorize";
  /** Origins besides the app URL where recordings may be. Before any other origin, people are asked. */
  origins: string[];
  /** Whether the list certainly belongs to the requested Space, even if entries don't say so. */
  listIsOfSpace: boolean;
};

export const recordingSettings: RecordingSettings = {
  events: {
    available: ["RECORDING_AVAILABLE"],
    transcript: ["TRANSCRIPT_AVAILABLE", "TRANSCRIPTION_AVAILABLE", "SUMMARY_AVAILABLE"],
    unavailable: ["RECORDING_UNAVAILABLE", "RECORDING_DELETED", "RECORDING_REMOVED", "RECORDING_FAILED"],
  },
  expectedMinutes: 60,
  givenUpMinutes: 360,
  open: "plain",
  origins: [],
  listIsOfSpace: false,
};

export const recordingList = {
  // The list may also be anywhere else in the reply (read-recordings.ts).
  reply: {
    items: ["recordings", "items", "results", "data", ""],
    recordingId: within(["recording"], ["recordingId", "id", "_id"]),
    spaceId: ["spaceId", "space.spaceId", "space.id", "space._id"],
    sessionId: ["sessionId", "session.sessionId", "session.id"],
    status: within(["recording"], ["status", "state", "recordingStatus"]),
    url: within(
      ["recording"],
      ["url", "recordingUrl", "playbackUrl", "videoUrl", "viewUrl", "link", "downloadUrl", "fileUrl"],
    ),
    title: within(["recording"], ["title", "name", "recordingName", "topic"]),
    startedAt: within(["recording"], ["startedAt", "recordedAt", "startTime", "startAt", "start"]),
    endedAt: within(["recording"], ["endedAt", "endTime", "endAt", "end"]),
    durationSeconds: within(["recording"], ["durationSeconds", "durationInSeconds", "duration", "length"]),
    durationMilliseconds: within(["recording"], ["durationMs", "durationMilliseconds", "durationMillis"]),
    publishedAt: ["publishedAt", "availableAt", "createdAt", "created", "timestamp"],
    transcriptUrl: [
      "transcriptUrl",
      "transcriptionUrl",
      "transcript.url",
      "transcript.downloadUrl",
      "transcript.link",
      "transcript",
    ],
    summaryUrl: ["summaryUrl", "summary.url", "summary.downloadUrl", "summary.link", "summary"],
    // Read if there is no address: a text, a list of texts, or a list of utterances.
    transcriptText: [
      "transcriptText",
      "transcript.segments",
      "transcript.entries",
      "transcript",
      "transcript.text",
      "transcript.content",
      "transcription",
      "transcription.text",
    ],
    summaryText: ["summaryText", "summary", "summary.text", "summary.content", "summary.points"],
    segmentText: ["text", "content", "caption", "sentence", "words"],
    segmentSpeaker: ["speaker.name", "speakerName", "speaker", "participant.name", "user.name", "name"],
  },
  values: {
    processing: ["PROCESSING", "PENDING", "QUEUED", "UPLOADING", "RECORDING", "IN_PROGRESS"],
    ready: ["READY", "AVAILABLE", "COMPLETED", "COMPLETE", "DONE", "PROCESSED", "PUBLISHED"],
    unavailable: ["UNAVAILABLE", "FAILED", "ERROR", "DELETED", "REMOVED", "EXPIRED", "ARCHIVED"],
  },
};

export const sessionList = {
  items: ["sessions", "analytics.sessions", "analytics", "items", "results", "records", "data", ""],
  sessionId: within(["session"], ["sessionId", "id", "_id"]),
  spaceId: ["spaceId", "space.spaceId", "space.id", "session.spaceId"],
  startedAt: within(["session"], ["startedAt", "startTime", "startAt", "start", "createdAt"]),
  endedAt: within(["session"], ["endedAt", "endTime", "endAt", "end"]),
  // Where an entry of a list within a session has its time.
  moment: ["at", "time", "timestamp", "date", "startedAt"],
};

/** Envelopes of a scheduled event. */
export const eventParts = ["event", "scheduledEvent"];
export const eventFields = {
  eventId: within(eventParts, ["eventId", "id", "_id"]),
  spaceId: within(eventParts, ["spaceId", "space.spaceId", "space.id", "space._id"]),
  title: within(eventParts, ["title", "name", "summary"]),
  startsAt: within(eventParts, ["startsAt", "startTime", "startDateTime", "startAt", "startDate", "start"]),
  // Ids, or records with an id. The document doesn't show whether events name their cohorts.
  cohortIds: within(eventParts, ["cohortIds", "cohorts", "cohortId", "cohort"]),
  endsAt: within(eventParts, ["endsAt", "endTime", "endDateTime", "endAt", "endDate", "end"]),
};

export const cohortFields = {
  cohortId: within(["cohort"], ["cohortId", "id", "_id"]),
  name: within(["cohort"], ["name", "title"]),
};

export const cohortList = {
  items: ["cohorts", "items", "results", "data", ""],
  ...cohortFields,
  programId: within(["cohort"], ["programId", "program.programId", "program.id", "program._id", "program"]),
};

/** A cohort's people. The lists may be incomplete, or have their paging next to them. */
export const cohortPeople = {
  organizers: peopleAt(["organizers", "organizerIds", "hosts"]),
  attendees: peopleAt(["attendees", "attendeeIds", "participants", "members"]),
  // The total numbers, if the reply has them.
  organizersTotal: within(
    ["cohort"],
    ["organizersTotal", "organizerCount", "organizersCount", "totalOrganizers"],
  ),
  attendeesTotal: within(["cohort"], ["attendeesTotal", "attendeeCount", "attendeesCount", "totalAttendees"]),
};

function peopleAt(names: readonly string[]): string[] {
  const inside = names.flatMap((name) => ["results", "items", "data"].map((list) => `${name}.${list}`));
  return within(["cohort"], [...names, ...inside]);
}
