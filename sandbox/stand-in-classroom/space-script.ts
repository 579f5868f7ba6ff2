// From: document 3 and 6.9.
import type { Turned } from "../assumptions.ts";
import { html, type Html, scriptJson } from "../html.ts";

type SpaceScriptFacts = {
  spaceId: string;
  userTabId: string;
  broadcast: boolean;
  startedCall: boolean;
  callRunning: boolean;
  userId: string;
  redirects: boolean;
};

/**
 * Refreshes the list of people, reports leaving and tab changes, and posts embed events to the parent on request. An embedded Space does
 * not know its parent's origin, so it posts to any; the events contain nothing secret.
 */
export function spaceScript(facts: SpaceScriptFacts): Html {
  return { markup: `const facts = ${scriptJson(facts).markup};\n${program}` };
}

const program = `
const base = location.pathname.replace(/\\/$/, "");
const post = (type, detail = {}) => {
  if (facts.broadcast && window.parent !== window) window.parent.postMessage({ type, detail }, "*");
};
const tell = (what) =>
  navigator.sendBeacon(base + "/tabs/" + facts.userTabId + "/" + what);

post("ready");
if (facts.startedCall) post("user_started_call");
if (facts.callRunning) post("user_joined_call");

const detailOf = ({ id, name, profileImage, fullName }) => ({ id, name, profileImage, fullName });
let known = new Map();
let left = false;
async function refresh() {
  const answer = await fetch(base + "/people.json?tab=" + facts.userTabId);
  if (!answer.ok || left) return;
  const { people, call, here, redirects } = await answer.json();
  facts.redirects = redirects;
  const now = new Map(people.map((person) => [person.id, person]));
  for (const [id, person] of now) if (!known.has(id)) post("participant_join", detailOf(person));
  for (const [id, person] of known) if (!now.has(id)) post("participant_leave", detailOf(person));
  if (now.size !== known.size) post("participantupdate", { count: now.size });
  known = now;
  document.getElementById("people").replaceChildren(
    ...people.map((person) => {
      const item = document.createElement("li");
      item.textContent = person.fullName + " (" + person.role + ")";
      return item;
    }),
  );
  if (facts.callRunning && !call) {
    facts.callRunning = false;
    document.getElementById("call").textContent = "The call has ended.";
    post("call_ended");
  }
  if (!here) {
    clearInterval(timer);
    left = true;
    document.getElementById("call").textContent = "The session has ended.";
    goOn();
  }
}
// The end-of-session redirect: within this frame when there is one.
function goOn() {
  if (facts.redirects) location.assign(base + "/end?user=" + encodeURIComponent(facts.userId));
}
let timer;
await refresh();
timer = setInterval(() => refresh().catch(() => undefined), 2000);

function leave() {
  if (left) return;
  left = true;
  clearInterval(timer);
  tell("leave");
}
document.getElementById("leave").addEventListener("click", () => {
  post("user_left_call");
  leave();
  document.getElementById("call").textContent = "You have left the Space.";
  document.getElementById("people").replaceChildren();
  goOn();
});
addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => {
  if (left) return;
  const visible = document.visibilityState === "visible";
  post("page_visibility_change", { visible });
  tell(visible ? "show" : "hide");
});
addEventListener("offline", () => post("connection_status_change", { status: "Unstable" }));
addEventListener("online", () => post("connection_status_change", { status: "Stable" }));
document.getElementById("embed-events")?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) post(button.dataset.type, JSON.parse(button.dataset.detail));
});
`;

type Raisable = { label: string; type: string; detail: object };

const toggle = (what: string, type: string, name: string, words: [on: string, off: string]): Raisable[] =>
  [true, false].map((value, index) => ({
    label: `${what} ${words[index] ?? ""}`,
    type,
    detail: { [name]: value },
  }));

const status = (what: string, type: string): Raisable[] =>
  ["Unstable", "Stable"].map((value) => ({
    label: `${what} ${value.toLowerCase()}`,
    type,
    detail: { status: value },
  }));

const states = [
  "PERMISSION_DENIED",
  "PERMISSION_DENIED_BY_SYSTEM",
  "NOT_FOUND",
  "NO_INPUT_DETECTED",
  "GET_USER_MEDIA_TIMEOUT",
  "DEFAULT_ERROR",
  "Good",
];

const ana = { id: "user-ana", name: "Ana", profileImage: "", fullName: "Ana Example" };

/** All embed events of the document's part 6.9. */
const groupsOf = (stopped: string): readonly { heading: string; events: readonly Raisable[] }[] => [
  {
    heading: "Space and people",
    events: [
      { label: "Ready", type: "ready", detail: {} },
      ...toggle("Chat", "chat_toggle", "open", ["opened", "closed"]),
      { label: "Ana joins", type: "participant_join", detail: ana },
      { label: "Ana leaves", type: "participant_leave", detail: ana },
      { label: "Twelve people", type: "participantupdate", detail: { count: 12 } },
      ...toggle("Tab", "page_visibility_change", "visible", ["visible", "hidden"]),
    ],
  },
  {
    heading: "Call",
    events: [
      { label: "I start the call", type: "user_started_call", detail: {} },
      { label: "I join the call", type: "user_joined_call", detail: {} },
      { label: "I leave the call", type: "user_left_call", detail: {} },
      { label: "Call ended by another", type: "call_ended", detail: {} },
      { label: "I end the call", type: "user_ended_call", detail: {} },
      { label: "Hand raised", type: "hand_raised", detail: {} },
      { label: "Recording started", type: "recording_status_change", detail: { status: "started" } },
      // The value for stopping is not shown in the document (assumption `recordingStops`).
      { label: "Recording stopped", type: "recording_status_change", detail: { status: stopped } },
      ...toggle("Screen", "screenshare_toggle", "enabled", ["shared", "not shared"]),
      ...toggle("Camera", "camera_toggle", "enabled", ["on", "off"]),
      ...toggle("Microphone", "microphone_toggle", "enabled", ["on", "off"]),
      ...toggle("Picture in picture", "pip_toggle", "open", ["opened", "closed"]),
    ],
  },
  {
    heading: "Connection and devices",
    events: [
      ...status("Connection", "connection_status_change"),
      ...status("Device", "device_performance_status_change"),
      ...["microphone", "camera"].flatMap((deviceType) =>
        states.map((state) => ({
          label: `${deviceType} ${state}`,
          type: "device_status_change",
          detail: { deviceType, state },
        })),
      ),
    ],
  },
];

export function eventButtons(turned: Turned): Html {
  const groups = groupsOf(turned.has("recordingStops") ? "ended" : "stopped");
  return html`<section id="embed-events" aria-labelledby="embed-heading">
    <h2 id="embed-heading">Send an embed event</h2>
    <p>
      Ready, people coming and leaving, the call's start and end, hiding this tab and losing the network send
      theirs without a button.
    </p>
    ${groups.map(
      ({ heading, events }) =>
        html`<h3>${heading}</h3>
          <div class="buttons">
            ${events.map(
              ({ label, type, detail }) =>
                html`<button type="button" data-type="${type}" data-detail="${scriptJson(detail).markup}">
                  ${label}
                </button>`,
            )}
          </div>`,
    )}
  </section>`;
}
