import type { DeliveryFilter } from "../modules/operations/find-deliveries.ts";
import { countDeliveries, sendScoreAgain, sendScoresAgain } from "../modules/operations/send-scores-again.ts";
import { type Answer, type Command, type CommandTools, operatorParts, UsageError } from "./command.ts";

/** The tool's processes look for deliveries every second. */
const wake = () => undefined;

/** deliveries retry ID, deliveries retry --state refused ... */
export function retryDeliveries([id, ...rest]: readonly string[]): Command {
  if (rest.length > 0) throw new UsageError("Give one id, or options that narrow it down.");
  return async (tools) => (id === undefined ? retryMany(tools) : retryOne(tools, id));
}

async function retryOne(tools: CommandTools, id: string): Promise<Answer> {
  const narrowed = ["state", "registration", "course", "reason"] as const;
  if (tools.values["dry-run"] || narrowed.some((name) => tools.values[name] !== undefined))
    throw new UsageError("An id is given alone; the other options are for many.");
  const sent = await sendScoreAgain(await partsOf(tools), id, null);
  const text = sent
    ? `${id} is sent again within seconds, if the tool runs.`
    : `${id} was left alone: a teacher's grade holds it back, or there is nothing to send.`;
  return { text, json: { id, sent } };
}

async function retryMany(tools: CommandTools): Promise<Answer> {
  const filter = filterOf(tools.values);
  const parts = await partsOf(tools);
  if (tools.values["dry-run"]) {
    const { matched } = await countDeliveries(parts, filter, { most: Infinity });
    return { text: `${scores(matched)} would be sent again.`, json: { matched, sent: 0 } };
  }
  const { matched, sent } = await sendScoresAgain(parts, filter, { most: Infinity });
  return { text: `${scores(sent)} to be sent again.`, json: { matched, sent } };
}

async function partsOf(tools: CommandTools) {
  return { ...(await operatorParts(tools)), wake };
}

function scores(count: number): string {
  return count === 1 ? "1 score" : `${count} scores`;
}

/** @throws UsageError */
function filterOf({
  state = "refused",
  registration,
  course,
  reason,
}: CommandTools["values"]): DeliveryFilter {
  if (state !== "refused" && state !== "waiting") throw new UsageError("--state is refused or waiting.");
  if (course !== undefined && registration === undefined)
    throw new UsageError("--course is used with --registration.");
  return { state, registrationId: registration ?? null, courseId: course ?? null, reason: reason ?? null };
}
