import { z } from "zod";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Turned } from "../assumptions.ts";
import type { StandInSpace, World } from "./world.ts";

/** Where people are sent at the end, and the names of added details (`endRedirectNames`). */
export const endRedirectSetting = z.object({
  url: z.url({ protocol: /^https?$/ }).nullable(),
  names: z
    .object({
      spaceId: z.string().nullable(),
      userId: z.string().nullable(),
      eventId: z.string().nullable(),
      sessionId: z.string().nullable(),
    })
    .partial()
    .default({}),
});

/** An address (null for none), and names; null leaves a detail out. */
export type EndRedirectSetting = z.input<typeof endRedirectSetting>;

/** The end-of-session redirect (document part 1, item 9). */
export type EndRedirect = {
  set: (setting: EndRedirectSetting) => void;
  url: () => string | null;
  /** With attribution; null when nothing is set. */
  addressFor: (space: StandInSpace, userId: string) => string | null;
};

const camelNames = { spaceId: "spaceId", userId: "userId", eventId: "eventId", sessionId: "sessionId" };
const snakeNames = {
  spaceId: "space_id",
  userId: "user_id",
  eventId: "event_id",
  sessionId: "session_id",
};
const minute = 60_000;

/** Person, Space and event are looked up on leaving. */
export function createEndRedirect(
  deps: { world: World; clock: Clock; turned: Turned },
  initial: EndRedirectSetting = { url: null },
): EndRedirect {
  const usual = deps.turned.has("endRedirectNames") ? snakeNames : camelNames;
  let setting = endRedirectSetting.parse(initial);
  return {
    set: (changed) => {
      setting = endRedirectSetting.parse(changed);
    },
    url: () => setting.url,
    addressFor: (space, userId) => {
      if (setting.url === null) return null;
      const address = new URL(setting.url);
      const names = { ...usual, ...setting.names };
      const add = (name: string | null | undefined, value: string | null) => {
        if (typeof name === "string" && value !== null) address.searchParams.set(name, value);
      };
      add(names.spaceId, space.spaceId);
      add(names.userId, userId);
      add(names.eventId, eventOf(deps, space));
      add(names.sessionId, space.session?.sessionId ?? space.endedSessionId);
      return address.href;
    },
  };
}

/** The Space's event going on or ended within the hour; the latest of several. */
function eventOf({ world, clock }: { world: World; clock: Clock }, space: StandInSpace): string | null {
  const now = clock.now();
  const fitting = [...world.events.values()].filter(
    ({ spaceId, status, startsAt, endsAt }) =>
      spaceId === space.spaceId &&
      status === "SCHEDULED" &&
      startsAt - 15 * minute <= now &&
      now <= endsAt + 60 * minute,
  );
  return fitting.sort((one, other) => other.startsAt - one.startsAt)[0]?.eventId ?? null;
}
