import type { ClassroomAccount } from "../../../src/classroom/account.ts";
import type { ClassroomOverview } from "../../../src/classroom/open-classrooms.ts";

const nobody = { entry: 0, instructor: 0, session: 0, background: 0 };

/** What operators see of an unused account. @param fails Whether its latest calls failed. */
export function classroomOverviewOf(account: ClassroomAccount, fails = false): ClassroomOverview {
  const { id, name, baseUrl, appUrl, paused } = account;
  return {
    environment: id,
    name,
    baseUrl,
    appUrl,
    paused,
    keyEnd: "",
    secrets: 1,
    addsToSpace: [],
    throttle: () =>
      Promise.resolve({ lastSecond: 0, lastCallAt: null, pausedUntil: null, processes: nobody }),
    waiting: () => nobody,
    fails: () => fails,
    addresses: () => Promise.resolve([]),
  };
}
