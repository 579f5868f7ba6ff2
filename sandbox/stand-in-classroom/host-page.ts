import { tableHead } from "./table-head.ts";
import { webhookLog } from "./webhook-log.ts";
import { html, type Html } from "./html.ts";
import { page } from "./page.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import { alertTypes, attendanceKey, attendanceStatuses, type World } from "./world.ts";

type Choice = { value: string; label: string };

/** `done` names the action that just ran. */
export function hostPage(view: {
  world: World;
  webhooks: WebhookSender;
  endRedirectUrl: string | null;
  now: number;
  done: string | null;
}): string {
  const { world, webhooks } = view;
  return page({
    title: "Host controls",
    main: html` <h1>Host controls</h1>
      ${view.done === null ? null : html`<p role="status">Done: ${view.done}.</p>`} ${events(world)}
      ${attendance(world)} ${spaces(world)} ${cohorts(world)} ${alerts(world)}
      ${settings(view.endRedirectUrl)} ${switches(webhooks)} ${webhookLog(webhooks.sent())}`,
  });
}

function events(world: World): Html {
  const known = [...world.events.values()];
  return html`<h2>Scheduled events</h2>
    ${known.length === 0 ? html`<p>None yet.</p>` : null}
    <div class="scroll" role="region" aria-label="Events" tabindex="0">
      <table>
        ${known.length === 0 ? null : tableHead("Event", "Space", "Starts (UTC)", "Ends (UTC)", "Status")}
        <tbody>
          ${known.map(
            (event) =>
              html`<tr>
                <th scope="row">${event.title}</th>
                <td>${spaceName(world, event.spaceId)}</td>
                <td>${when(event.startsAt)}</td>
                <td>${when(event.endsAt)}</td>
                <td>${event.status}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${form("Schedule an event", "createEvent", [
      text("title", "Title", "Live class"),
      choice("spaceId", "Space", spaceChoices(world), true),
      number("startsInMinutes", "Starts in minutes", 0),
      number("lengthMinutes", "Length in minutes", 60),
    ])}
    ${form("Schedule a weekly series", "createSeries", [
      text("title", "Title", "Weekly class"),
      choice("spaceId", "Space", spaceChoices(world), true),
      number("startsInMinutes", "First starts in minutes", 0),
      number("lengthMinutes", "Length in minutes", 60),
      number("weeks", "Weeks", 4),
    ])}
    ${form("Change an event", "updateEvent", [
      choice("eventId", "Event", eventChoices(world)),
      text("title", "New title"),
      number("startsInMinutes", "Starts in minutes from now"),
      choice("scope", "Scope in a series", asNamed(["CURRENT", "FUTURE", "ALL"])),
    ])}
    ${form("Cancel an event", "cancelEvent", [choice("eventId", "Event", eventChoices(world))])}
    ${form("Delete an event", "deleteEvent", [choice("eventId", "Event", eventChoices(world))])}`;
}

function attendance(world: World): Html {
  const people = [...world.users.values()].map(({ userId, name }) => ({ value: userId, label: name }));
  const rows = [...world.events.values()].flatMap((event) =>
    [...world.users.values()].flatMap((user) => {
      const record = world.attendance.get(attendanceKey(event.eventId, user.userId));
      return record === undefined
        ? []
        : [
            html`<tr>
              <th scope="row">${user.name}</th>
              <td>${event.title}</td>
              <td>${record.status}</td>
              <td>${record.notes ?? ""}</td>
              <td>${record.updatedBy}</td>
            </tr>`,
          ];
    }),
  );
  return html`<h2>Attendance</h2>
    <div class="scroll" role="region" aria-label="Attendance" tabindex="0">
      <table>
        ${rows.length === 0 ? null : tableHead("Person", "Event", "Status", "Notes", "By")}
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${form(
      "Mark attendance",
      "markAttendance",
      [
        choice("eventId", "Event", eventChoices(world)),
        choice("userId", "Person", people),
        choice("status", "Status", asNamed(attendanceStatuses)),
        text("notes", "Notes"),
      ],
      true,
    )}`;
}

function spaces(world: World): Html {
  const recordings = [...world.recordings.values()].map(({ recordingId, title, status }) => ({
    value: recordingId,
    label: status === "READY" ? title : `${title} (unavailable)`,
  }));
  const waiting = [...world.spaces.values()].flatMap((space) =>
    space.waitingUserIds.map(
      (userId) =>
        html`<form method="post" action="/host/admit">
          <input type="hidden" name="spaceId" value="${space.spaceId}" /><input
            type="hidden"
            name="userId"
            value="${userId}"
          />
          <button>Admit ${world.users.get(userId)?.name ?? "Guest"} to ${space.name}</button>
        </form>`,
    ),
  );
  return html`<h2>Spaces</h2>
    <ul>
      ${[...world.spaces.values()].map(
        (space) =>
          html`<li>
            <a href="${space.url}">${space.name}</a>: ${space.access}, ${space.people.length}
            here${space.call === null ? null : ", call running"}
          </li>`,
      )}
    </ul>
    ${waiting} ${movements(world)}
    ${form("End a session", "endSession", [choice("spaceId", "Space", spaceChoices(world))])}
    ${form("Publish a recording", "publishRecording", [
      choice("spaceId", "Space", spaceChoices(world)),
      text("title", "Title"),
      number("minutes", "Length in minutes"),
    ])}
    ${form("Make a recording unavailable", "removeRecording", [choice("recordingId", "Recording", recordings)])}
    ${form("Publish transcript and summary", "publishTranscript", [choice("recordingId", "Recording", recordings)])}
    ${form("Invite somebody to a private Space", "invite", [
      choice("spaceId", "Space", spaceChoices(world)),
      choice(
        "userId",
        "Person",
        [...world.users.values()].map(({ userId, name }) => ({ value: userId, label: name })),
      ),
    ])}`;
}

/** Coming and going without a browser, each with its webhook. */
function movements(world: World): Html {
  const users = [...world.users.values()].map(({ userId, name }) => ({ value: userId, label: name }));
  const who = [choice("spaceId", "Space", spaceChoices(world)), choice("userId", "Person", users)];
  return html`${form("Let somebody into a Space", "enterSpace", who)}
  ${form("Turn somebody to another tab", "hideTab", who)}
  ${form("Turn somebody back to the Space", "unhideTab", who)}
  ${form("Move somebody to another room", "changeRoom", [...who, text("roomId", "Room", "breakout-1")])}
  ${form("Let somebody leave a Space", "leaveSpace", who)}`;
}

function cohorts(world: World): Html {
  const all = [...world.cohorts.values()];
  const known = all.map(({ cohortId, programId, name }) => ({
    value: cohortId,
    label: `${name} (${programId})`,
  }));
  const people = [...world.users.values()].map(({ userId, name }) => ({ value: userId, label: name }));
  const named = (ids: readonly string[]) => ids.map((id) => world.users.get(id)?.name ?? id).join(", ");
  return html`<h2>Cohorts</h2>
    <ul>
      ${all.map(
        (each) =>
          html`<li>
            ${each.name}, ${each.programId}: organized by ${named(each.organizerIds) || "nobody"}; attended by
            ${named(each.attendeeIds) || "nobody"} (ids ${each.programId} and ${each.cohortId})
          </li>`,
      )}
    </ul>
    ${form("Create a cohort", "createCohort", [
      text("programId", "Program", "program-1"),
      text("name", "Name", "Group A"),
      text("organizerIds", "Organizers (user ids)"),
      text("attendeeIds", "Attendees (user ids)"),
    ])}
    ${form("Rename a cohort", "updateCohort", [choice("cohortId", "Cohort", known), text("name", "New name")])}
    ${form("Change who is in a cohort", "changeMember", [
      choice("cohortId", "Cohort", known),
      choice("userId", "Person", people),
      choice("change", "Change", [
        { value: "add", label: "take in" },
        { value: "remove", label: "take out" },
      ]),
      choice("as", "As", [
        { value: "attendee", label: "attendee" },
        { value: "organizer", label: "organizer" },
      ]),
    ])}
    ${form("Delete a cohort", "deleteCohort", [choice("cohortId", "Cohort", known)])}`;
}

function alerts(world: World): Html {
  const known = [...world.alerts.values()].map((alert) => ({
    value: alert.alertId,
    label: `${alert.alertType} (${alert.status})`,
  }));
  return html`<h2>Alerts</h2>
    ${form("Raise an alert", "raiseAlert", [
      choice("alertType", "Type", asNamed(alertTypes)),
      choice("eventId", "Event", eventChoices(world), true),
    ])}
    ${form("Change an alert", "updateAlert", [
      choice("alertId", "Alert", known),
      text("status", "Status", "CLOSED"),
      text("priority", "Priority"),
    ])}`;
}

function settings(endRedirectUrl: string | null): Html {
  return html`<h2>Institution's settings</h2>
    ${form("Set the end-of-session redirect", "end-redirect", [
      text("url", "Address (empty: none)", endRedirectUrl ?? ""),
    ])}`;
}

function switches(webhooks: WebhookSender): Html {
  const now = webhooks.switches();
  const tick = (name: string, label: string, on: boolean) =>
    html`<label class="tick"
      ><input type="checkbox" name="${name}" ${on ? html`checked` : null} /> ${label}</label
    >`;
  return html`<h2>Webhooks</h2>
    <p>Receiver: ${webhooks.receiverUrl() ?? "none configured"}</p>
    <form method="post" action="/host/switches">
      ${tick("duplicates", "Send each twice", now.duplicates)}
      ${tick("reorder", "Swap the order of pairs", now.reorder)}
      ${tick("wrongSecret", "Wrong secret", now.wrongSecret)}
      ${tick("authentication", "Header “Authentication”", now.headerName === "Authentication")}
      ${number("delayMs", "Delay (ms)", now.delayMs)}
      ${number("loseNext", "Lose so many of the next", now.loseNext)}
      <button>Set</button>
    </form>`;
}

function form(title: string, action: string, fields: readonly Html[], open = false): Html {
  return html`<details ${open ? html`open` : null}>
    <summary>${title}</summary>
    <form method="post" action="/host/${action}">${fields}<button>${title}</button></form>
  </details>`;
}

function text(name: string, label: string, value = ""): Html {
  return html`<label>${label}<input name="${name}" value="${value}" /></label>`;
}

function number(name: string, label: string, value: number | "" = ""): Html {
  return html`<label>${label}<input type="number" name="${name}" value="${value}" /></label>`;
}

function choice(name: string, label: string, choices: readonly Choice[], optional = false): Html {
  return html`<label
    >${label}<select name="${name}">
      ${choices.map((each) => html`<option value="${each.value}">${each.label}</option>`)}
      ${optional ? html`<option value="">none</option>` : null}
    </select></label
  >`;
}

function asNamed(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: value }));
}

function spaceChoices(world: World): Choice[] {
  return [...world.spaces.values()].map(({ spaceId, name }) => ({ value: spaceId, label: name }));
}

function eventChoices(world: World): Choice[] {
  return [...world.events.values()].map(({ eventId, title, startsAt }) => ({
    value: eventId,
    label: `${title}, ${when(startsAt)}`,
  }));
}

function spaceName(world: World, spaceId: string | null): string {
  return spaceId === null ? "none" : (world.spaces.get(spaceId)?.name ?? spaceId);
}

function when(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
