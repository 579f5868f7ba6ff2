import { z } from "zod";
import { found, Refusal } from "./refusal.ts";
import type { Visits } from "./visits.ts";
import type { StandInSpace, World } from "./world.ts";

const somebody = z.object({ spaceId: z.string(), userId: z.string() });

/** Without a browser, for demonstrations and tests. */
export const presenceActionSchemas = {
  enterSpace: somebody,
  leaveSpace: somebody,
  hideTab: somebody,
  unhideTab: somebody,
  changeRoom: somebody.extend({ roomId: z.string().min(1) }),
  /** Times in ms; `to` null: leaving is not told. */
  tellEarlier: z.object({
    spaceId: z.string(),
    stays: z
      .array(z.object({ userId: z.string(), from: z.number(), to: z.number().nullable() }))
      .min(1)
      .max(2_000),
  }),
};

type Somebody = z.input<typeof somebody>;

/** Each action sends its webhook, for every tab the person has there. */
export function createPresenceActions({ world, visits }: { world: World; visits: Visits }) {
  const spaceOf = ({ spaceId }: Somebody) => found(world.spaces.get(spaceId), "Space");
  const eachTab = (input: Somebody, act: (space: StandInSpace, userTabId: string) => void) => {
    const space = spaceOf(input);
    const tabs = space.people.filter(({ userId }) => userId === input.userId);
    if (tabs.length === 0) throw new Refusal(409, "NOT_HERE", "This person is not in the Space.");
    for (const { userTabId } of tabs) act(space, userTabId);
  };
  return {
    enterSpace: (input: Somebody): { userTabId: string } => {
      const { userId, name, role } = found(world.users.get(input.userId), "user");
      const entry = visits.enter(spaceOf(input), { userId, name, role }, {});
      if (entry.outcome === "joined") return { userTabId: entry.userTabId };
      const sentence = entry.outcome === "waiting" ? "Is in the waiting room now." : "Is not invited.";
      throw new Refusal(409, "AT_THE_DOOR", sentence);
    },
    leaveSpace: (input: Somebody): void => eachTab(input, visits.leave),
    hideTab: (input: Somebody): void =>
      eachTab(input, (space, tab) => visits.tabVisibility(space, tab, false)),
    unhideTab: (input: Somebody): void =>
      eachTab(input, (space, tab) => visits.tabVisibility(space, tab, true)),
    changeRoom: (input: z.input<(typeof presenceActionSchemas)["changeRoom"]>): void =>
      eachTab(input, (space, tab) => visits.changeRoom(space, tab, input.roomId)),
    tellEarlier: ({ spaceId, stays }: z.input<(typeof presenceActionSchemas)["tellEarlier"]>) => ({
      sessionId: visits.tellEarlier(found(world.spaces.get(spaceId), "Space"), stays),
    }),
  };
}
