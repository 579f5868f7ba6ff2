import { NamedError } from "../kernel/errors.ts";
import { unreadable } from "./classroom-errors.ts";
import type { createReader, ListOptions, ListReply } from "./create-reader.ts";
import type { Dialect } from "./dialect.ts";
import { momentAt, pathsInside, readableList, spokenTextAt, textAt, urlAt, valueAt } from "./read-reply.ts";

/** A recording. Null means "not reported", or for an address that a browser must not open it. Times in ms. */
export type RecordingReply = {
  recordingId: string;
  /** Also null if neither the entry nor its address names the Space. */
  spaceId: string | null;
  sessionId: string | null;
  /** What its status means in the dialect; null if missing or unknown. */
  state: "processing" | "ready" | "unavailable" | null;
  title: string | null;
  startedAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  publishedAt: number | null;
  url: string | null;
  transcriptUrl: string | null;
  summaryUrl: string | null;
  /** Text in the reply itself; null for recordings of other Spaces. */
  transcriptText: string | null;
  summaryText: string | null;
};

export type RecordingsReply = Pick<ListReply<RecordingReply>, "more" | "failure"> & {
  recordings: RecordingReply[];
  /** Whether the list was read to its end, and every entry was readable. */
  whole: boolean;
};

export type RecordingsReader = ReturnType<typeof recordingsReader>;

const operation = "readRecordings";
const doing = "reading recordings";

/** Reads the list of recordings. The document doesn't show its reply. */
export function recordingsReader(deps: {
  dialect: Dialect;
  readAll: ReturnType<typeof createReader>["readAll"];
  failed: ReturnType<typeof createReader>["failed"];
}) {
  const { dialect } = deps;
  const { reply: places, values } = dialect.operations[operation];
  const at = (field: string) => places[field] ?? [];
  const segment = { text: at("segmentText"), speaker: at("segmentSpeaker") };
  const entryOf = (item: unknown, asked: string): RecordingReply | null => {
    const recordingId = textAt(item, at("recordingId"));
    if (recordingId === null) return null;
    const url = addressAt(item, at("url"));
    const transcriptUrl = addressAt(item, at("transcriptUrl"));
    const summaryUrl = addressAt(item, at("summaryUrl"));
    const status = textAt(item, at("status"))?.toUpperCase();
    const states = ["processing", "ready", "unavailable"] as const;
    const spaceId = textAt(item, at("spaceId")) ?? spaceIn(url, asked);
    // A list may cover all Spaces. We don't keep transcripts of other Spaces.
    const reads = spaceId === null || spaceId === asked;
    const spokenText = (address: string | null, field: string) =>
      reads && address === null ? spokenTextAt(item, at(field), segment) : null;
    return {
      recordingId,
      spaceId,
      sessionId: textAt(item, at("sessionId")),
      state:
        states.find((state) => values[state]?.some((one) => one.toUpperCase() === status) === true) ?? null,
      title: textAt(item, at("title")),
      startedAt: momentAt(item, at("startedAt")),
      endedAt: momentAt(item, at("endedAt")),
      durationSeconds: secondsAt(item, at("durationSeconds"), at("durationMilliseconds")),
      publishedAt: momentAt(item, at("publishedAt")),
      url,
      transcriptUrl,
      summaryUrl,
      transcriptText: spokenText(transcriptUrl, "transcriptText"),
      summaryText: spokenText(summaryUrl, "summaryText"),
    };
  };
  return {
    /** May include other Spaces' recordings; each says which Space it belongs to. @returns null if there is no such list (404, 405 or 501). */
    readRecordings: async (spaceId: string, options: ListOptions) => {
      const entry = (item: unknown) => {
        const one = entryOf(item, spaceId);
        return one === null ? null : { id: one.recordingId, entry: one };
      };
      const listOf = (reply: unknown) => {
        const paths = pathsInside(dialect.envelopes, at("items"));
        const list = readableList(reply, paths, (item) => entry(item) !== null);
        if (list === null || list === "unreadable")
          throw unreadable(deps.failed(operation, doing), "a list of recordings", reply, false);
        return list;
      };
      const found = await offered(() => deps.readAll(operation, doing, { spaceId }, options, listOf, entry));
      if (found === null) return null;
      const { entries: recordings, more, failure, unreadable: unread } = found;
      return { recordings, more, failure, whole: more === null && unread === 0 };
    },
  };
}

/** Null if the service has no such operation. A 404 is null already; 405 and 501 come as refusals. */
async function offered<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    const answer = thrown instanceof NamedError ? thrown.details.answer : null;
    if (answer === 405 || answer === 501) return null;
    throw thrown;
  }
}

/** The requested Space, if the recording's address contains it. */
function spaceIn(url: string | null, asked: string): string | null {
  return url !== null && new URL(url).pathname.split("/").includes(asked) ? asked : null;
}

function addressAt(item: unknown, places: readonly string[]): string | null {
  const urls = places.flatMap((path) => urlAt(item, [path]) ?? []);
  return urls.find((url) => /^https?:/i.test(url)) ?? null;
}

/** A duration in seconds, from a number or a text such as "3600", "01:02:03" or "PT1H2M". */
function secondsAt(item: unknown, seconds: readonly string[], milliseconds: readonly string[]) {
  const value = valueAt(item, seconds);
  const reported = typeof value === "string" ? secondsOf(value) : value;
  const inMilliseconds = valueAt(item, milliseconds);
  const converted = typeof inMilliseconds === "number" ? inMilliseconds / 1_000 : null;
  const duration = typeof reported === "number" ? reported : converted;
  return duration !== null && duration >= 0 && duration < 1_000_000 ? duration : null;
}

function secondsOf(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  if (/^\d{1,2}(:\d{2}){1,2}(\.\d+)?$/.test(text))
    return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const [iso, hours = "0", minutes = "0", seconds = "0"] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/i.exec(text) ?? [];
  return iso === undefined ? null : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
