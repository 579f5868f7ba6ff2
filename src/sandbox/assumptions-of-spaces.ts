import type { Assumption } from "./assumption.ts";

/** What the stand-in classroom's Spaces, registers and pages do although the document does not show it. */
export const spaceAssumptions = {
  hostsPassDoors: {
    assumed: "hosts pass the waiting room and Private access.",
    opposite: "a host who is not on the list of a Private Space is refused, and waits like others.",
    looked: "document 2: only who is on the list of invited users; nothing of hosts.",
    reliedOn: "settings of a new Space.",
    borneBy: "nobody",
    loss: "nobody gets into a Private Space until somebody is invited in the classroom itself.",
  },
  markedOnEntering: {
    assumed: "attendance that is tracked by itself is marked when somebody comes.",
    opposite: "when the session ends, for everybody who was there.",
    looked: "document 1, item 4: tracked automatically; not when.",
    reliedOn: "src/features/attendance.",
    borneBy: "tool",
  },
  systemHasAName: {
    assumed: 'what is marked by itself is `updatedBy` "system".',
    opposite: "`updatedBy` is null.",
    looked: 'document 6.6: "userId of the user who made the update"; nothing of none.',
    reliedOn: "src/domain/webhook.ts.",
    borneBy: "tool",
  },
  alertWords: {
    assumed: "a new alert is OPEN, of priority MEDIUM.",
    opposite: "it is `new`, of priority 2.",
    looked: "document 3: statuses and priorities of alerts: not shown.",
    reliedOn: "src/classroom/dialect.ts, `readAlert`.",
    borneBy: "tool",
  },
  recordingStops: {
    assumed: "the embed event of a recording that stops has the status `stopped`.",
    opposite: "`ended`.",
    looked: "document 6.9: the value for stopping: not shown.",
    reliedOn: "views/assets/embed-event.js.",
    borneBy: "tool",
  },
  endRedirectNames: {
    assumed: "the end-of-session redirect adds `spaceId`, `userId`, `eventId` and `sessionId`.",
    opposite: "`space_id`, `user_id`, `event_id` and `session_id`.",
    looked: "document 1, item 9: attribution details, without names.",
    reliedOn: "dialect `feedbackRedirect`.",
    borneBy: "tool",
  },
} as const satisfies Record<string, Assumption>;
