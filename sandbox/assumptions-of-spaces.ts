import type { Assumption } from "./assumption.ts";

/** What the stand-in classroom's Spaces, registers and pages do although the document does not show it. */
export const spaceAssumptions = {
  spaceIsOnAppUrl: {
    assumed: "the address that a new Space is told with lies below {app_url}.",
    opposite: "below another name of the same web application.",
    looked:
      "document 2 and 4: a Space has a URL of the form {app_url}/spaces/<space_id>; what creating one answers is not shown.",
    reliedOn: "dialect `knownSpaceOrigins`: without it the Space is kept and nobody is let in.",
    borneBy: "dialect",
  },
  addedAreInvited: {
    assumed: "the hosts and participants that a Space is made with are on its list of invited users.",
    opposite: "that list is another one, and nobody is on it: a Private Space lets hosts in and nobody else.",
    looked: 'document 2: "only users on a list of invited users"; how anybody gets there is not shown.',
    reliedOn: "Private Spaces (src/modules/spaces/ensure-space.ts).",
    borneBy: "nobody",
    loss: "learners are turned away at a Private Space until somebody invites them in the classroom itself.",
  },
  roleIsOfUser: {
    assumed:
      "who was made as a host is a host, where a Space was told its hosts only if they are among them; who was made as a participant never is.",
    opposite:
      "only who was named as a host when the Space was made is a host there, whatever they were made as.",
    looked:
      "document 1 and 4: users are created per host and per participant; how a Space knows its hosts is not shown.",
    reliedOn: "dialect, operations `createApiUser` and `createSpace`.",
    borneBy: "nobody",
    loss: "instructors who were not known when the Space was made are participants in it: calls do not start by themselves, and they cannot admit from the waiting room, until somebody makes them hosts in the classroom.",
  },
  addedWhenMade: {
    assumed: "a Space's hosts and participants are those it was made with; the API adds nobody.",
    opposite: "POST /spaces/{spaceId}/users with `{ userId, role }` adds somebody to them.",
    looked: "document 4 shows no such operation, nor do public programs; 2: who is invited is on a list.",
    reliedOn: "dialect, operation `addToSpace`; src/modules/spaces/space-list.ts.",
    borneBy: "dialect",
  },
  hostsAlwaysEnter: {
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
    reliedOn: "src/modules/attendance.",
    borneBy: "tool",
  },
  comingEarlyCounts: {
    assumed: "who comes up to 15 minutes before the start is marked for the event.",
    opposite: "only who comes after the start is.",
    looked: "document 1, item 4: tracked automatically; not from when.",
    reliedOn: "nothing of the tool: it takes the marks as they come.",
    borneBy: "tool",
  },
  comingLateIsLate: {
    assumed: "who comes more than ten minutes after the start is marked LATE.",
    opposite: "everybody who comes is marked PRESENT.",
    looked: "document 3: the four statuses, without a rule for which one.",
    reliedOn: "nothing of the tool: it takes the marks as they come.",
    borneBy: "tool",
  },
  removalIsReported: {
    assumed:
      "a recording that is removed is told (RECORDING_UNAVAILABLE) and stays in the list as UNAVAILABLE.",
    opposite: "nothing is told, and it is not in the list any more.",
    looked: "document 6.4 knows no such event, 4 shows no list.",
    reliedOn: "src/modules/recordings.",
    borneBy: "nobody",
    loss: "it is shown until the list is read the next time.",
  },
  systemHasAName: {
    assumed: 'what is marked by itself is `updatedBy` "system".',
    opposite: "`updatedBy` is null.",
    looked: 'document 6.6: "userId of the user who made the update"; nothing of none.',
    reliedOn: "src/inbox/rules/webhook.ts.",
    borneBy: "tool",
  },
  alertWords: {
    assumed: "a new alert is OPEN, of priority MEDIUM.",
    opposite: "it is `new`, of priority 2.",
    looked: "document 3: statuses and priorities of alerts: not shown.",
    reliedOn: "src/classroom/default-dialect.ts, `readAlert`.",
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
  fieldsAreChecked: {
    assumed:
      "what is no e-mail address is refused (422), and so are names and titles of more than 255 characters or without a sign that shows (400).",
    opposite: "anything is taken.",
    looked: "document 4: request and response shape: not shown",
    reliedOn: "src/lms/claims.ts; dialect `lengths`; src/classroom/client.ts, `orWithoutAddress`.",
    borneBy: "tool",
  },
} as const satisfies Record<string, Assumption>;
