import type { Assumption } from "./assumption.ts";

const delivery = "document 6.1: delivery method, retries, ordering, expected response code: not shown";
const times =
  "document 6.1: timestamp format of space-user, space-session and space-recording events: not shown";
const receiver = "src/inbox and src/inbox/rules/webhook.ts.";

/** What the stand-in classroom's webhooks do although the document does not show it. */
export const webhookAssumptions = {
  webhooksComeOnce: {
    assumed: "a webhook that was taken is not sent again.",
    opposite: "every webhook is sent twice at the same moment.",
    looked: delivery,
    reliedOn: receiver,
    borneBy: "tool",
  },
  webhooksInOrder: {
    assumed: "webhooks leave in the order of what happened.",
    opposite: "of every two the later one leaves first.",
    looked: delivery,
    reliedOn: receiver,
    borneBy: "tool",
  },
  webhooksAtOnce: {
    assumed: "webhooks leave at once, before the reply to the call that caused them.",
    opposite: "they leave a second and a half later.",
    looked: delivery,
    reliedOn: "src/modules/scheduling (an event of ours may be told before or after its reply).",
    borneBy: "tool",
  },
  webhooksAreRepeated: {
    assumed: "a webhook that was not taken comes again after 1, 2, 4, 8 and 16 s.",
    opposite: "it is lost.",
    looked: delivery,
    reliedOn: "everything that is told while no instance is up, or while the store is away.",
    borneBy: "nobody",
    loss: "attendance is read again later; a session whose making a kill interrupted stays unknown until an instructor looks.",
  },
  anySuccessWillDo: {
    assumed: "any status from 200 to 299 says that a webhook was taken.",
    opposite: "200 only.",
    looked: delivery,
    reliedOn: "src/inbox/webhook-routes.ts answers 202.",
    borneBy: "tool",
  },
  webhooksAreTyped: {
    assumed: "a webhook's body is JSON and says so.",
    opposite: "it is JSON and says text/plain.",
    looked: "document 6.1: body encoding: not shown.",
    reliedOn: "src/inbox/read-body.ts.",
    borneBy: "tool",
  },
  oneWebhookARequest: {
    assumed: "a request carries one webhook.",
    opposite: "a list of webhooks.",
    looked: "document 6.1: body encoding: not shown; 6 speaks of every payload.",
    reliedOn: "src/inbox/read-body.ts.",
    borneBy: "nobody",
    loss: "the request is refused with 400, counted, and said in the console; the service's own log shows it.",
  },
  secretInAuthorization: {
    assumed: "the webhook secret comes in the header `Authorization`.",
    opposite: "in one that is called `Authentication`.",
    looked: 'document 5, item 3: "bearer token in the authentication header".',
    reliedOn: "src/inbox/webhook-routes.ts.",
    borneBy: "tool",
  },
  webhooksAreExact: {
    assumed: "a webhook has no fields but those that are shown.",
    opposite: "it has others as well, nested ones among them.",
    looked: 'document 6 lists "Fields"; versioning (9) is not shown, so more may come.',
    reliedOn: receiver,
    borneBy: "tool",
  },
  nothingIsLeftOut: {
    assumed: "an optional field without a value (`prevStatus`, `notes`, `recurringUpdateType`) is left out.",
    opposite: "it is null.",
    looked: 'document 6.5 and 6.6: "optional".',
    reliedOn: "src/inbox/rules/webhook.ts.",
    borneBy: "tool",
  },
  spaceTimesAreIso: {
    assumed: "times of space-user, space-session and space-recording events are ISO 8601.",
    opposite: "milliseconds since the epoch, as numbers.",
    looked: times,
    reliedOn: "src/inbox/rules/webhook.ts, `readTimestamp`.",
    borneBy: "tool",
  },
  attendanceTimesNameZone: {
    assumed: "times of attendance events are ISO 8601 that ends in Z.",
    opposite: "`2026-09-14 10:00:00.000`, without a zone.",
    looked: 'document 6.6: "UTC timestamp".',
    reliedOn: "src/inbox/rules/webhook.ts, `readTimestamp`.",
    borneBy: "tool",
  },
  isoEndsInZ: {
    assumed: "ISO 8601 timestamps end in Z.",
    opposite: "they carry an offset, +02:00.",
    looked: "document 6.5, 6.7, 6.8: ISO 8601, which allows both.",
    reliedOn: "src/inbox/rules/webhook.ts, `readTimestamp`.",
    borneBy: "tool",
  },
  timesAreFine: {
    assumed: "timestamps of attendance events tell milliseconds.",
    opposite: "whole seconds.",
    looked: "document 6.6: UTC timestamp, without a precision.",
    reliedOn: "src/domain/attendance.ts, `compareObservations`.",
    borneBy: "nobody",
    loss: "of two marks within one second, neither of which names the other as `prevStatus`, the tool cannot tell the later one; it shows the better one for the learner.",
  },
  transcriptWord: {
    assumed: "the event type of a transcript is TRANSCRIPT_AVAILABLE.",
    opposite: "SUMMARY_TRANSCRIPT_READY.",
    looked: "document 6.4: its eventType value: not shown.",
    reliedOn: "dialect `recordings.events.transcript`.",
    borneBy: "tool",
  },
  enteringIsOneJoin: {
    assumed: "who enters a Space joins once, into its first room.",
    opposite: "twice: the Space (`roomId` null), then its first room; leaving is told twice as well.",
    looked: 'document 6.2: "user joins a Space or a room within it".',
    reliedOn: "src/modules/presence.",
    borneBy: "tool",
  },
  leavingComesFirst: {
    assumed: "who changes rooms is told to leave one, then to join the other.",
    opposite: "to join the other, then to leave the one.",
    looked: "document 6.2 shows no order.",
    reliedOn: "src/modules/presence.",
    borneBy: "tool",
  },
  sessionEndsSilently: {
    assumed: "who is in a Space when its session ends is not told to leave.",
    opposite: "each of them is told to leave, before the session is told to have ended.",
    looked: "document 6.2 and 6.3 do not say.",
    reliedOn: "src/modules/presence.",
    borneBy: "tool",
  },
} as const satisfies Record<string, Assumption>;
