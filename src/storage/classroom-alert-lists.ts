import type { Connection } from "mongoose";
import type { ClassroomAlert } from "../domain/classroom-alert.ts";
import type { EnvironmentName } from "../domain/registration.ts";

export type ClassroomAlertLists = ReturnType<typeof createClassroomAlertLists>;

/** The alerts of a whole environment; to be opened after the store that keeps them. Reads only. */
export function createClassroomAlertLists(connection: Connection) {
  const model = connection.model<ClassroomAlert & { _id: string }>("ClassroomAlert");

  return {
    /**
     * Those that changed last first.
     * @param before Only those that changed before (ms); null for the latest.
     */
    listLatest: async (
      environment: EnvironmentName,
      before: number | null,
      limit: number,
    ): Promise<ClassroomAlert[]> => {
      const rows = await model
        .find({ environment, ...(before === null ? {} : { changedAt: { $lt: before } }) })
        .sort({ changedAt: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, ...alert }) => alert);
    },
  };
}
