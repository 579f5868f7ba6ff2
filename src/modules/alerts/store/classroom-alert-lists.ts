import type { Connection } from "mongoose";
import type { ClassroomAlert } from "../rules/classroom-alert.ts";
import type { AccountId } from "../../../domain/account.ts";
import { latestFirst, type PageCursor, type TimeRange } from "../../../storage/latest-first.ts";

/** `place`: in the order of all environments, latest change first, then id. */
export type AlertWithCursor = { alert: ClassroomAlert; cursor: PageCursor };

export type ClassroomAlertLists = ReturnType<typeof createClassroomAlertLists>;

/** Alerts of a whole environment, read only; opened after their store. */
export function createClassroomAlertLists(connection: Connection) {
  const model = connection.model<ClassroomAlert & { _id: string }>("ClassroomAlert");

  return {
    /** Latest change first. @param after End of the page before, also in another environment. */
    listLatest: async (
      environment: AccountId,
      after: PageCursor | null,
      limit: number,
    ): Promise<AlertWithCursor[]> => {
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
      return rows.map(({ _id, ...alert }) => ({ alert, cursor: { at: alert.changedAt, id: _id } }));
    },
  };
}
