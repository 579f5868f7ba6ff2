import { recordingList } from "./dialect-recordings.ts";
import { sessionList } from "./dialect-sessions.ts";
import { authorizeRoutes, clientsSpaceRoutes, clientsUserRoutes, clientsWords } from "./known-shapes.ts";

const results = (items: readonly string[]) => ["results", ...items.filter((place) => place !== "results")];

/**
 * How three public programs call a service with these operations (read 2026-11-22; none authoritative): users are
 * Teacher or Student, Spaces have a title, a visibility, hosts and participants, a login is asked for by GET, lists
 * come in `results`. For operators whose service is called so; the default dialect finds most of it by trying.
 */
export const publicClients = {
  words: clientsWords,
  operations: {
    createApiUser: { routes: clientsUserRoutes },
    createSpace: { routes: clientsSpaceRoutes },
    authorize: {
      routes: [
        ...authorizeRoutes.filter(({ method }) => method === "GET"),
        ...authorizeRoutes.filter(({ method }) => method !== "GET"),
      ],
    },
    readAttendance: { reply: { items: ["results", "attendance", "items", "data", ""] } },
    readRecordings: { reply: { items: results(recordingList.reply.items) } },
    readSessions: { reply: { items: results(sessionList.items) } },
  },
};
