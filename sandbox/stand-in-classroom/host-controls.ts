// Imitates nothing: the classroom's host controls and their twins for programs.
import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import { html, type Html, table } from "../html.ts";
import type { Actions } from "./actions.ts";
import { action, found } from "./refusal.ts";
import { page } from "./space-page.ts";
import { endRedirectSetting, type EndRedirect } from "./space-router.ts";
import { type CallLog, faultSchema, type Faults } from "./traffic.ts";
import type { WebhookDelivery, WebhookSender } from "./webhook-sender.ts";
import { attendanceKey, type Classroom, type World } from "./world.ts";

type Deps = Classroom & {
  actions: Actions;
  webhooks: WebhookSender;
  calls: CallLog;
  faults: Faults;
  endRedirect: EndRedirect;
};
type Control = { schema: z.ZodObject; run: (input: unknown) => unknown };

/** `/host` for people; `/sandbox` for a demo or a test in another process. No key: this is a sandbox. */
export function createHostControls(deps: Deps): Router {
  const { webhooks, calls, faults, endRedirect } = deps;
  const controls: Readonly<Record<string, Control>> = {
    ...deps.actions,
    setEndRedirect: action(endRedirectSetting, endRedirect.set),
    addFault: action(faultSchema, faults.add),
    clearFaults: action(z.object({}), faults.clear),
    switchWebhooks: action(
      z.object({
        duplicates: z.boolean().default(false),
        reorder: z.boolean().default(false),
        delayMs: z.coerce.number().int().nonnegative().default(0),
      }),
      webhooks.setSwitches,
    ),
  };
  const controlOf = (request: Request) =>
    found(new Map(Object.entries(controls)).get(String(request.params.name)), "action");
  const router = Router();
  router.get("/sandbox/log.json", (_request: Request, response: Response) => {
    response.json({ counts: calls.counts(), calls: calls.all(), webhooks: webhooks.sent() });
  });
  router.post("/sandbox/actions/:name", express.json(), (request: Request, response: Response) => {
    response.json(controlOf(request).run(request.body ?? {}) ?? {});
  });
  router.get("/host", (request: Request, response: Response) => {
    const done = typeof request.query.done === "string" ? request.query.done : null;
    response.set("Cache-Control", "no-store").send(hostPage(deps, controls, done));
  });
  const form = express.urlencoded({ extended: false, limit: "100kb" });
  router.post("/host/:name", form, (request: Request, response: Response) => {
    const { run, schema } = controlOf(request);
    run(inputOf(schema, request.body, deps.clock.now()));
    response.redirect(303, `/host?done=${encodeURIComponent(String(request.params.name))}`);
  });
  return router;
}

/** The form's fields for one member of an action's input. */
const memberSchema = z.looseObject({
  /** Absent if null is allowed, too. */
  type: z.string().optional().catch(undefined),
  enum: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});
type Member = z.output<typeof memberSchema>;

function membersOf(schema: z.ZodObject): [string, Member][] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { properties } = z.object({ properties: z.record(z.string(), memberSchema) }).parse(json);
  return Object.entries(properties).filter(
    ([name, { type, items }]) => name !== "by" && type !== "object" && items?.type !== "object",
  );
}

const isMoment = (name: string) => /^at$|At$/.test(name);

/** Empty fields are left out, minutes from now become times, ticks become true, words become lists. */
function inputOf(schema: z.ZodObject, body: unknown, now: number): Record<string, unknown> {
  const fields = z.record(z.string(), z.string()).parse(body ?? {});
  const given = membersOf(schema).flatMap(([name, { type }]): [string, unknown][] => {
    const text = fields[name] ?? "";
    if (name === "url") return [[name, text === "" ? null : text]];
    if (text === "") return [];
    if (isMoment(name)) return [[name, now + Number(text) * 60_000]];
    if (type === "boolean") return [[name, true]];
    return [[name, type === "array" ? text.split(/[\s,]+/).filter((each) => each !== "") : text]];
  });
  return Object.fromEntries(given);
}

function hostPage(deps: Deps, controls: Readonly<Record<string, Control>>, done: string | null): string {
  const { world, webhooks } = deps;
  const nameOf = (userId: string) => world.users.get(userId)?.name ?? userId;
  const names = (userIds: readonly string[]) => userIds.map(nameOf).join(", ") || "nobody";
  const spaceName = (id: string | null) => (id === null ? "none" : (world.spaces.get(id)?.name ?? id));
  return page({
    title: "Host controls",
    main: html`<h1>Host controls</h1>
      ${done === null ? null : html`<p role="status">Done: ${done}.</p>`}
      <h2>Scheduled events</h2>
      ${table(
        "Events",
        ["Event", "Space", "Starts (UTC)", "Ends (UTC)", "Status"],
        [...world.events.values()].map(({ title, spaceId, startsAt, endsAt, status }) =>
          row(title, spaceName(spaceId), when(startsAt), when(endsAt), status),
        ),
      )}
      <h2>Attendance</h2>
      ${table(
        "Attendance",
        ["Person", "Event", "Status", "Notes", "By"],
        [...world.events.values()].flatMap(({ eventId, title }) =>
          [...world.users.values()].flatMap(({ userId, name }) => {
            const record = world.attendance.get(attendanceKey(eventId, userId));
            if (record === undefined) return [];
            return [row(name, title, record.status, record.notes ?? "", record.updatedBy ?? "")];
          }),
        ),
      )}
      <h2>Spaces</h2>
      <ul>
        ${[...world.spaces.values()].map(
          ({ url, name, access, people, waitingUserIds, call }) =>
            html`<li>
              <a href="${url}">${name}</a>: ${access}, ${people.length}
              here${call === null ? null : ", call running"}, waiting: ${names(waitingUserIds)}
            </li>`,
        )}
      </ul>
      <h2>Cohorts</h2>
      <ul>
        ${[...world.cohorts.values()].map(
          ({ name, programId, cohortId, organizerIds, attendeeIds }) =>
            html`<li>
              ${name}, ${programId}: organized by ${names(organizerIds)}; attended by ${names(attendeeIds)}
              (ids ${programId} and ${cohortId})
            </li>`,
        )}
      </ul>
      <h2>Controls</h2>
      <p>
        Times are minutes from now; people in a list are user ids. Webhooks go to
        ${webhooks.receiverUrl() ?? "nobody"}.
      </p>
      ${Object.entries(controls).map(([name, { schema }]) => form(world, name, schema))}
      <h2>Webhooks</h2>
      ${webhookTable(webhooks.sent())}`,
  });
}

function webhookTable(deliveries: readonly WebhookDelivery[]): Html {
  const textOf = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);
  return table(
    "Webhooks",
    ["Family", "Type", "State", "Attempts"],
    deliveries
      .slice(-25)
      .reverse()
      .map(({ payload, state, attempts }) =>
        row(
          textOf(payload._type, "(attendance)"),
          textOf(payload.eventType, ""),
          state,
          attempts.map(({ status }) => status ?? "no answer").join(", "),
        ),
      ),
  );
}

function row(first: string, ...rest: readonly string[]): Html {
  return html`<tr>
    <th scope="row">${first}</th>
    ${rest.map((text) => html`<td>${text}</td>`)}
  </tr>`;
}

function form(world: World, name: string, schema: z.ZodObject): Html {
  return html`<details ${name === "markAttendance" ? html`open` : null}>
    <summary>${inWords(name)}</summary>
    <form method="post" action="/host/${name}">
      ${membersOf(schema).map(([member, described]) => field(world, member, described))}
      <button>${inWords(name)}</button>
    </form>
  </details>`;
}

/** A choice of existing records, or an input of the member's type. */
function field(world: World, name: string, { type, enum: words, default: usual }: Member): Html {
  const label = inWords(name.replace(/Id$/, ""));
  const choices = words?.map((word) => [word, word] as const) ?? choicesOf(world, name);
  if (choices !== null)
    return html`<label
      >${label}<select name="${name}">
        ${choices.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
        ${words === undefined ? html`<option value="">none</option>` : null}
      </select></label
    >`;
  if (type === "boolean")
    return html`<label class="tick"><input type="checkbox" name="${name}" value="on" /> ${label}</label>`;
  return html`<label
    >${label}<input name="${name}" value="${typeof usual === "string" ? usual : ""}"
  /></label>`;
}

function choicesOf(world: World, name: string): (readonly [id: string, text: string])[] | null {
  switch (name) {
    case "userId":
      return [...world.users.values()].map((one) => [one.userId, one.name]);
    case "spaceId":
      return [...world.spaces.values()].map((one) => [one.spaceId, one.name]);
    case "eventId":
      return [...world.events.values()].map((one) => [one.eventId, `${one.title}, ${when(one.startsAt)}`]);
    case "cohortId":
      return [...world.cohorts.values()].map((one) => [one.cohortId, `${one.name} (${one.programId})`]);
    case "alertId":
      return [...world.alerts.values()].map((one) => [one.alertId, `${one.alertType} (${one.status})`]);
    case "recordingId":
      return [...world.recordings.values()].map((one) => [one.recordingId, `${one.title} (${one.status})`]);
    default:
      return null;
  }
}

/** "markAttendance" as "Mark attendance". */
function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function when(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
