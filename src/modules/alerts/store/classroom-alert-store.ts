import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type ClassroomAlert, classroomAlertRecord } from "../rules/classroom-alert.ts";
import type { AccountId } from "../../../domain/account.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** Of GET /alerts/{alertId}. */
export type AlertDetails = Pick<
  ClassroomAlert,
  "status" | "priority" | "assigneeId" | "eventId" | "closed"
> & { alertType: string | null };

export type ClassroomAlertStore = ReturnType<typeof createClassroomAlertStore>;

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
