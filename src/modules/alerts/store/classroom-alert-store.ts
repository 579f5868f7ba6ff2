import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf } from "../../../domain/record.ts";
import { type ClassroomAlert, classroomAlertRecord } from "../rules/classroom-alert.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { latestFirst, type PageCursor, type TimeRange } from "../../../storage/latest-first.ts";
import { recordModel } from "../../../storage/record-model.ts";

/** The first step and the latest ones stay. */
const maxStepsKept = 50;

/** One record for each (environment, alert). */
export function createClassroomAlertStore(connection: Connection) {
  const model = recordModel(connection, classroomAlertRecord);
  const idOf = (environment: AccountId, alertId: string) => `${environment}:${alertId}`;

  return {
    find: async (environment: AccountId, alertId: string): Promise<ClassroomAlert | null> => {
      const row = await model.findOne({ _id: idOf(environment, alertId) }).lean();
      return row === null ? null : toAlert(row);
    },
    /** Latest change first. */
    listOfEvents: async (
      environment: AccountId,
      eventIds: readonly string[],
      limit: number,
    ): Promise<ClassroomAlert[]> =>
      eventIds.length === 0
        ? []
        : (
            await model
              .find({ environment, eventId: { $in: [...eventIds] } })
              .sort({ changedAt: -1 })
              .limit(limit)
              .lean()
          ).map(toAlert),
    /** Keeps a new alert; a known one stays. */
    insert: async (alert: ClassroomAlert): Promise<void> => {
      const _id = idOf(alert.environment, alert.alertId);
      const row = { ...alert, history: [...alert.history] };
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $setOnInsert: { _id, ...row } }, { upsert: true }),
      );
    },
    /** @returns false when it has changed since `before` was read. */
    replace: async (before: ClassroomAlert, after: ClassroomAlert): Promise<boolean> => {
      const { environment, alertId } = before;
      const steps = [...after.history].sort((one, other) => one.at - other.at);
      const history =
        steps.length <= maxStepsKept ? steps : [...steps.slice(0, 1), ...steps.slice(1 - maxStepsKept)];
      const done = await model.updateOne(
        { _id: idOf(environment, alertId), revision: before.revision },
        { $set: { ...after, history, revision: before.revision + 1 } },
      );
      return done.matchedCount === 1;
    },
    /** @param revision The one seen. @returns false when it has changed since. */
    markSeen: async (
      environment: AccountId,
      alertId: string,
      revision: number,
      seen: NonNullable<ClassroomAlert["seen"]>,
    ): Promise<boolean> => {
      const done = await model.updateOne({ _id: idOf(environment, alertId), revision }, { $set: { seen } });
      return done.matchedCount === 1;
    },
  };
}

const toAlert = readerOf(classroomAlertRecord);

/** `place`: in the order of all environments, latest change first, then id. */
export type AlertWithCursor = { alert: ClassroomAlert; cursor: PageCursor };

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
