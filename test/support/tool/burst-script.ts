import { seededRandom } from "../../../sandbox/seeded-random.ts";

/** What a status is worth under the policy every course begins with; null is left out. */
const credit = { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null } as const;
const statuses = ["PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;
type Status = keyof typeof credit;

/** Attendance webhooks and what has to come of them. */
export type BurstScript = {
  /** In the order in which they leave; some come twice, and later changes before earlier ones. */
  bodies: readonly string[];
  /** The score of each learner in the end, by the classroom's user id; null where there is none to send. */
  scores: ReadonlyMap<string, number | null>;
  /** How many different changes there are for each learner: nobody needs to be sent more scores. */
  changes: ReadonlyMap<string, number>;
};

/**
 * Writes a burst as at the end of a big class: statuses set and set again within minutes.
 * The scores are computed here and not with the tool's own rules.
 * @param options.count Webhooks in all; every tenth is one of the others once more.
 */
export function writeBurst(options: {
  userIds: readonly string[];
  eventIds: readonly string[];
  count: number;
  seed: number;
}): BurstScript {
  const { userIds, eventIds, count } = options;
  const random = seededRandom(options.seed);
  const oneOf = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    if (one === undefined) throw new Error("nothing to choose from");
    return one;
  };
  const began = Date.now() - count * 1_000;
  const last = new Map<string, Map<string, Status>>(userIds.map((userId) => [userId, new Map()]));
  const changes = new Map<string, number>(userIds.map((userId) => [userId, 0]));
  const bodies: string[] = [];
  const repeated = Math.floor(count / 10);
  for (let number = 0; number < count - repeated; number += 1) {
    // Everybody is marked once before anybody is by chance.
    const userId = userIds[number] ?? oneOf(userIds);
    const eventId = oneOf(eventIds);
    const status = oneOf(statuses);
    const known = last.get(userId);
    const prevStatus = known?.get(eventId);
    known?.set(eventId, status);
    changes.set(userId, (changes.get(userId) ?? 0) + 1);
    bodies.push(
      JSON.stringify({
        eventId,
        userId,
        timestamp: new Date(began + number * 1_000).toISOString(),
        updatedBy: "user_host",
        ...(prevStatus === undefined ? {} : { prevStatus: { status: prevStatus } }),
        currentStatus: { status },
      }),
    );
  }
  for (let number = 0; number < repeated; number += 1) bodies.push(oneOf(bodies));
  const shuffled = bodies
    .map((body) => ({ body, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ body }) => body);
  const scores = new Map([...last].map(([userId, events]) => [userId, scoreOf([...events.values()])]));
  return { bodies: shuffled, scores, changes };
}

/** The mean of what counts, rounded half up to hundredths in whole numbers. */
function scoreOf(last: readonly Status[]): number | null {
  const counted = last.map((status) => credit[status]).filter((one) => one !== null);
  if (counted.length === 0) return null;
  const sum = counted.reduce<number>((total, one) => total + one, 0);
  return Math.floor((2 * sum * 100 + counted.length) / (2 * counted.length)) / 100;
}
