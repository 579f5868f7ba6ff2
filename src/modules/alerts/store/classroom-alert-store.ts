import { type Connection, Schema } from "mongoose";
import type { AlertStep, ClassroomAlert } from "../rules/classroom-alert.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type AlertRow = Omit<ClassroomAlert, "history"> & { _id: string; history: AlertStep[] };

/** What GET /alerts/{alertId} told. */
export type AlertDetails = Pick<
  ClassroomAlert,
  "status" | "priority" | "assigneeId" | "eventId" | "closed"
> & { alertType: string | null };

export type ClassroomAlertStore = ReturnType<typeof createClassroomAlertStore>;

/** Longer histories lose their middle: the first step and the latest ones are kept. */
const stepsKept = 50;

/** Control-center alerts of the classroom, one record for each (environment, alert). */
export function createClassroomAlertStore(connection: Connection) {
  const schema = new Schema<AlertRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      alertId: { type: String, required: true },
      alertType: { type: String, required: true },
      status: { type: String, default: null },
      priority: { type: String, default: null },
      assigneeId: { type: String, default: null },
      eventId: { type: String, default: null },
      closed: { type: Boolean, required: true },
      raisedAt: { type: Number, required: true },
      changedAt: { type: Number, required: true },
      readAt: { type: Number, default: null },
      history: { type: Schema.Types.Mixed, required: true },
      seen: { type: Schema.Types.Mixed, default: null },
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ environment: 1, eventId: 1, changedAt: -1 });
  schema.index({ environment: 1, changedAt: -1 });
  const model = connection.model<AlertRow>("ClassroomAlert", schema);
  const idOf = (environment: EnvironmentName, alertId: string) => `${environment}:${alertId}`;

  return {
    find: async (environment: EnvironmentName, alertId: string): Promise<ClassroomAlert | null> => {
      const row = await model.findOne({ _id: idOf(environment, alertId) }).lean();
      return row === null ? null : toAlert(row);
    },
    /** Alerts about some events, those that changed last first. */
    listOfEvents: async (
      environment: EnvironmentName,
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
    /** Keeps an alert that was not known, with its first step. An alert that is known stays as it is. */
    insert: async (alert: ClassroomAlert): Promise<void> => {
      const _id = idOf(alert.environment, alert.alertId);
      const row = { ...alert, history: [...alert.history] };
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $setOnInsert: { _id, ...row } }, { upsert: true }),
      );
    },
    /**
     * Replaces what is known, unless it has changed since it was read.
     * @param before The alert as it was read.
     * @returns false when it has changed since.
     */
    replace: async (before: ClassroomAlert, after: ClassroomAlert): Promise<boolean> => {
      const { environment, alertId } = before;
      const steps = [...after.history].sort((one, other) => one.at - other.at);
      const history =
        steps.length <= stepsKept ? steps : [...steps.slice(0, 1), ...steps.slice(1 - stepsKept)];
      const done = await model.updateOne(
        { _id: idOf(environment, alertId), revision: before.revision },
        { $set: { ...after, history, revision: before.revision + 1 } },
      );
      return done.matchedCount === 1;
    },
    /**
     * Notes that somebody has seen an alert as it stands.
     * @param revision The one they saw.
     * @returns false when something has been told about it since.
     */
    markSeen: async (
      environment: EnvironmentName,
      alertId: string,
      revision: number,
      seen: NonNullable<ClassroomAlert["seen"]>,
    ): Promise<boolean> => {
      const done = await model.updateOne({ _id: idOf(environment, alertId), revision }, { $set: { seen } });
      return done.matchedCount === 1;
    },
  };
}

function toAlert({ _id, ...alert }: AlertRow): ClassroomAlert {
  return alert;
}
