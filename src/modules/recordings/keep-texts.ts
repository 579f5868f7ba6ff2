import type { App } from "../../app.ts";
import type { RecordingReply } from "../../classroom/read-recordings.ts";
import { recordingState, type SpaceRecording } from "./rules/recording.ts";
import type { TextPart } from "./rules/recording-text.ts";

export type TextLengths = Pick<SpaceRecording, "transcriptLength" | "summaryLength">;

type Space = Pick<SpaceRecording, "environment" | "spaceId">;
type TextsDeps = Pick<App, "recordings" | "recordingTexts">;

/** Recordings read of a Space. */
const maxRecordings = 1_000;
const parts = [
  { part: "transcript", length: "transcriptLength", reply: "transcriptText" },
  { part: "summary", length: "summaryLength", reply: "summaryText" },
] as const satisfies { part: TextPart; length: keyof TextLengths; reply: keyof RecordingReply }[];

export async function textLengths(
  { recordings }: Pick<TextsDeps, "recordings">,
  { environment, spaceId }: Space,
): Promise<Map<string, SpaceRecording>> {
  const known = await recordings.listOfSpaces(environment, [spaceId], maxRecordings);
  const withTexts = known.filter((recording) => parts.some(({ length }) => recording[length] !== null));
  return new Map(withTexts.map((recording) => [recording.recordingId, recording]));
}

/** Also removes texts that the list lacks. @param before What was kept of the recording. @returns the lengths now. */
export async function keepTexts(
  { recordingTexts }: Pick<TextsDeps, "recordingTexts">,
  { environment, spaceId }: Space,
  entry: RecordingReply,
  before: TextLengths | undefined,
): Promise<TextLengths> {
  const { recordingId } = entry;
  const lengths: TextLengths = { transcriptLength: null, summaryLength: null };
  for (const { part, length, reply } of parts) {
    const text = entry[reply];
    const name = { environment, recordingId, part };
    if (text !== null) lengths[length] = await recordingTexts.keep({ ...name, spaceId }, text);
    else if (before !== undefined && before[length] !== null) await recordingTexts.remove(name);
  }
  return lengths;
}

export async function removeTexts(deps: TextsDeps, space: Space): Promise<void> {
  const { environment } = space;
  for (const [recordingId, recording] of await textLengths(deps, space)) {
    if (recordingState(recording) !== "unavailable") continue;
    for (const { part } of parts) await deps.recordingTexts.remove({ environment, recordingId, part });
    await deps.recordings.forgetTexts({ environment, recordingId });
  }
}
