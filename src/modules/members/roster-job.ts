import type { Clock } from "../../kernel/clock.ts";
import { catchUp } from "../../tasks/catch-up.ts";
import type { TimetableEntry } from "../../tasks/start-timetable.ts";
import { scheduleRosterRound } from "./request-roster.ts";
import type { RosterReadings } from "./roster-readings.ts";

export function rosterJob(deps: {
  rosterSyncs: RosterReadings;
  clock: Clock;
  random: () => number;
}): TimetableEntry {
  const { rosterSyncs } = deps;
  return {
    name: "read-rosters",
    at: "7 1 * * *",
    run: async (ending) => {
      await scheduleRosterRound(deps);
      return catchUp({ ...deps, ending }, rosterSyncs);
    },
    follow: async (since) => ({
      ...(await rosterSyncs.countSince(since)),
      waiting: await rosterSyncs.countLeft(),
    }),
  };
}
