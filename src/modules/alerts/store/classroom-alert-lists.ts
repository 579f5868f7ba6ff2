import type { Connection } from "mongoose";
import type { ClassroomAlert } from "../rules/classroom-alert.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { latestFirst, type PagePlace, type TimeRange } from "../../../storage/latest-first.ts";

/** An alert, and its place in the order of all environments: the latest change first, then by id. */
export type PlacedAlert = { alert: ClassroomAlert; place: PagePlace };

export type ClassroomAlertLists = ReturnType<typeof createClassroomAlertLists>;

/** The alerts of a whole environment; to be opened after the store that keeps them. Reads only. */
export function createClassroomAlertLists(connection: Connection) {
  const model = connection.model<ClassroomAlert & { _id: string }>("ClassroomAlert");

  return {
    /**
     * Those that changed last first.
     * @param after Where the page before ended, also at an alert of another environment; null for the first one.
     */
    listLatest: async (
      environment: EnvironmentName,
      after: PagePlace | null,
      limit: number,
    ): Promise<PlacedAlert[]> => {
      const within = (range: TimeRange) =>
        "at" in range
          ? {
              environment,
              changedAt: range.at,
              ...(range.after === null ? {} : { _id: { $gt: range.after } }),
            }
          : { environment, changedAt: { $lt: range.before } };
      const rows = await latestFirst(
        (range, most) =>
          model
            .find(within(range))
            .sort("at" in range ? { _id: 1 } : { changedAt: -1 })
            .limit(most)
            .lean(),
        ({ changedAt }) => changedAt,
        after,
        limit,
      );
      return rows.map(({ _id, ...alert }) => ({ alert, place: { at: alert.changedAt, id: _id } }));
    },
  };
}
