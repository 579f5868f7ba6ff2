import type { createReader, ListOptions, ListReply } from "./create-reader.ts";
import type { SessionFigures } from "../domain/session-figures.ts";
import { sessionFigures } from "./session-figures.ts";
import { momentAt, textAt } from "./read-reply.ts";

/** What is left out does not narrow the search. */
export type WhichSessions = { spaceId?: string; sessionId?: string };

/** A session in analytics. Times in ms. */
export type SessionReply = {
  sessionId: string;
  spaceId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  figures: SessionFigures;
};

export type SessionsReader = {
  /** Sessions with metrics, from the analytics budget. */
  readSessions: (which: WhichSessions, options: ListOptions) => Promise<ListReply<SessionReply>>;
};

export function sessionsReader(readList: ReturnType<typeof createReader>["readList"]): SessionsReader {
  return {
    readSessions: (which, options) => {
      const entry = (item: unknown, places: (field: string) => string[]) => {
        const sessionId = textAt(item, places("sessionId"));
        if (sessionId === null) return null;
        const spaceId = textAt(item, places("spaceId"));
        const known = new Set([sessionId, ...(spaceId === null ? [] : [spaceId])]);
        return {
          ...{ sessionId, spaceId },
          startedAt: momentAt(item, places("startedAt")),
          endedAt: momentAt(item, places("endedAt")),
          figures: sessionFigures(item, places("moment"), known),
        };
      };
      return readList("readSessions", "reading analytics", which, options, entry, "sessionId");
    },
  };
}
