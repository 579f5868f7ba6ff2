import { type Connection, Schema } from "mongoose";
import type { ClassroomEvent } from "../domain/classroom-event.ts";
import type { EnvironmentName } from "../domain/registration.ts";

type EventRow = Omit<ClassroomEvent, "id"> & { _id: string };

export type EventStore = ReturnType<typeof createEventStore>;

/** Scheduled events of the classroom as last read, one for each (environment, event id). */
export function createEventStore(connection: Connection) {
  const schema = new Schema<EventRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      eventId: { type: String, required: true },
      spaceId: { type: String, default: null },
      title: { type: String, default: null },
      startsAt: { type: Number, default: null },
      endsAt: { type: Number, default: null },
      cancelled: { type: Boolean, default: false },
      courseId: { type: String, default: null },
      readAt: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ environment: 1, eventId: 1 }, { unique: true });
  schema.index({ courseId: 1, startsAt: 1 });
  const model = connection.model<EventRow>("ClassroomEvent", schema);

  return {
    find: async (environment: EnvironmentName, eventId: string): Promise<ClassroomEvent | null> => {
      const row = await model.findOne({ environment, eventId }).lean();
      return row === null ? null : toEvent(row);
    },
    /** The latest sessions of a course first, at most `limit`; ones without a time come last. */
    listOfCourse: async (courseId: string, limit: number): Promise<ClassroomEvent[]> =>
      (await model.find({ courseId }).sort({ startsAt: -1 }).limit(limit).lean()).map(toEvent),
    /** Those of the given events that have been read. */
    findMany: async (environment: EnvironmentName, eventIds: readonly string[]): Promise<ClassroomEvent[]> =>
      eventIds.length === 0
        ? []
        : (await model.find({ environment, eventId: { $in: [...eventIds] } }).lean()).map(toEvent),
    /** Keeps what was read; the id is derived from the key, so two readers write the same document. */
    save: async (event: Omit<ClassroomEvent, "id">): Promise<ClassroomEvent> => {
      const id = `${event.environment}:${event.eventId}`;
      await model.replaceOne({ _id: id }, { _id: id, ...event }, { upsert: true });
      return { id, ...event };
    },
  };
}

function toEvent({ _id, ...event }: EventRow): ClassroomEvent {
  return { id: _id, ...event };
}
