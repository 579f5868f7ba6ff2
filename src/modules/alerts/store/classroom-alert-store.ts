import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { type ClassroomAlert, classroomAlertRecord } from "../rules/classroom-alert.ts";
import { type PageCursor, openRecords } from "../../../storage/records.ts";

/** Keeps the first step and the latest ones. */
const maxStepsStored = 50;

/** One record per account and alert. */
export function createClassroomAlertStore(connection: Connection) {
  const records = openRecords(connection, classroomAlertRecord);
  const idOf = (environment: AccountId, alertId: string) => `${environment}:${alertId}`;

  return {
    find: (environment: AccountId, alertId: string): Promise<ClassroomAlert | null> =>
      records.find({ _id: idOf(environment, alertId) }),
    /** Latest change first. */
    listOfEvents: async (
      environment: AccountId,
      eventIds: readonly string[],
      limit: number,
    ): Promise<ClassroomAlert[]> =>
      eventIds.length === 0
        ? []
        : await records.list({ environment, eventId: { $in: eventIds } }, { sort: { changedAt: -1 }, limit }),
    /** Stores a new alert. Leaves a known one unchanged. */
    insert: async (alert: ClassroomAlert): Promise<void> => {
      const _id = idOf(alert.environment, alert.alertId);
      const row = { ...alert, history: [...alert.history] };
      await records.ensure({ _id }, { _id, ...row });
    },
    /** @returns false if it has changed since `before` was read. */
    replace: async (before: ClassroomAlert, after: ClassroomAlert): Promise<boolean> => {
      const { environment, alertId } = before;
      const steps = [...after.history].sort((one, other) => one.at - other.at);
      const history =
        steps.length <= maxStepsStored ? steps : [...steps.slice(0, 1), ...steps.slice(1 - maxStepsStored)];
      return records.change(
        { _id: idOf(environment, alertId), revision: before.revision },
        { $set: { ...after, history, revision: before.revision + 1 } },
      );
    },
    /** @param revision The one seen. @returns false if it has changed since. */
    markSeen: (
      environment: AccountId,
      alertId: string,
      revision: number,
      seen: NonNullable<ClassroomAlert["seen"]>,
    ): Promise<boolean> => records.change({ _id: idOf(environment, alertId), revision }, { $set: { seen } }),
  };
}

/** `cursor`: the place in the order of all accounts, latest change first, then id. */
export type AlertWithCursor = { alert: ClassroomAlert; cursor: PageCursor };

/** Reads alerts of a whole account. Opened after their store. */
export function createClassroomAlertLists(connection: Connection) {
  const records = openRecords(connection, classroomAlertRecord);

  return {
    /** Latest change first. @param after The end of the page before, which may be in another account. */
    listLatest: async (
      environment: AccountId,
      after: PageCursor | null,
      limit: number,
    ): Promise<AlertWithCursor[]> => {
      const rows = await records.latest("changedAt", { environment }, after, limit);
      return rows.map((row) => ({ alert: records.read(row), cursor: { at: row.changedAt, id: row._id } }));
    },
  };
}
