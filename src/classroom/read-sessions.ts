import type { createReader, ListOptions, ListReply } from "./create-reader.ts";
import type { SessionFigures } from "../domain/session-figures.ts";
import { sessionFigures } from "./session-figures.ts";
import { momentAt, textAt, valueAt } from "./read-reply.ts";

/** Times in ms. */
export type WhichSessions = { spaceId?: string; sessionId?: string; from?: number; to?: number };

/** A session in analytics. */
export type SessionReply = {
  sessionId: string;
  spaceId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  participantCount: number | null;
  figures: SessionFigures;
};

export type SessionsReader = {
  /** Sessions with metrics, from the analytics budget; what is left out does not narrow the search. */
  readSessions: (which: WhichSessions, options: ListOptions) => Promise<ListReply<SessionReply>>;
};

export function sessionsReader(readList: ReturnType<typeof createReader>["readList"]): SessionsReader {
  return {
    readSessions: ({ from, to, ...which }, options) => {
      const values = { ...which, from: isoOf(from), to: isoOf(to) };
      const entry = (item: unknown, places: (field: string) => string[]) => {
        const sessionId = textAt(item, places("sessionId"));
        if (sessionId === null) return null;
        const spaceId = textAt(item, places("spaceId"));
        const known = new Set([sessionId, ...(spaceId === null ? [] : [spaceId])]);
        return {
          sessionId,
          spaceId,
          startedAt: momentAt(item, places("startedAt")),
          endedAt: momentAt(item, places("endedAt")),
          participantCount: countAt(item, places("participantCount")),
          figures: sessionFigures(item, { userId: places("userId"), moment: places("moment") }, known),
        };
      };
      return readList("readSessions", "reading analytics", values, options, entry, "sessionId");
    },
  };
}

function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** A number, or the length of a list. */
function countAt(item: unknown, places: readonly string[]): number | null {
  const value = valueAt(item, places);
  if (Array.isArray(value)) return value.length;
  return typeof value === "number" ? value : null;
}
