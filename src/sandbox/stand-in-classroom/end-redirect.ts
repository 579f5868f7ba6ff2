import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { StandInSpace, World } from "./world.ts";

/** The institution's setting: where people are sent at the end, and how what is added is called (invented). */
export const endRedirectSetting = z.object({
  url: z.url({ protocol: /^https?$/ }).nullable(),
  names: z
    .object({
      spaceId: z.string().nullable().default("spaceId"),
      userId: z.string().nullable().default("userId"),
      eventId: z.string().nullable().default("eventId"),
      sessionId: z.string().nullable().default("sessionId"),
    })
    .prefault({}),
});

/** What `endRedirectSetting` takes: an address (null for none), and names; null leaves a detail out. */
export type EndRedirectSetting = z.input<typeof endRedirectSetting>;

/** The end-of-session redirect (document part 1, item 9). */
export type EndRedirect = {
  set: (setting: EndRedirectSetting) => void;
  url: () => string | null;
  /** Where somebody goes who leaves a Space, attribution included; null when nothing is set. */
  addressFor: (space: StandInSpace, userId: string) => string | null;
};

const minute = 60_000;

/** The redirect as it is set now; who, where and which event are looked up when somebody leaves. */
export function createEndRedirect(
  deps: { world: World; clock: Clock },
  initial: EndRedirectSetting = { url: null },
): EndRedirect {
  let setting = endRedirectSetting.parse(initial);
  return {
    set: (changed) => {
      setting = endRedirectSetting.parse(changed);
    },
    url: () => setting.url,
    addressFor: (space, userId) => {
      if (setting.url === null) return null;
      const address = new URL(setting.url);
      const { names } = setting;
      const add = (name: string | null, value: string | null) => {
        if (name !== null && value !== null) address.searchParams.set(name, value);
      };
      add(names.spaceId, space.spaceId);
      add(names.userId, userId);
      add(names.eventId, eventOf(deps, space));
      add(names.sessionId, space.session?.sessionId ?? space.endedSessionId);
      return address.href;
    },
  };
}

/** The event of the Space that goes on now or ended within the hour; the latest of several. */
function eventOf({ world, clock }: { world: World; clock: Clock }, space: StandInSpace): string | null {
  const now = clock.now();
  const fitting = [...world.events.values()].filter(
    ({ spaceId, status, startsAt, endsAt }) =>
      spaceId === space.spaceId &&
      status !== "CANCELLED" &&
      startsAt - 15 * minute <= now &&
      now <= endsAt + 60 * minute,
  );
  return fitting.sort((one, other) => other.startsAt - one.startsAt)[0]?.eventId ?? null;
}
