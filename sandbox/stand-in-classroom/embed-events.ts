import type { Turned } from "../assumptions.ts";
import { html, type Html, scriptJson } from "./html.ts";

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

const somebody = { id: "user-ana", name: "Ana", profileImage: "", fullName: "Ana Example" };

/** All embed events of the document's part 6.9. */
const groupsOf = (stopped: string): readonly { heading: string; events: readonly Raisable[] }[] => [
  {
    heading: "Space and people",
    events: [
      { label: "Ready", type: "ready", detail: {} },
      ...toggle("Chat", "chat_toggle", "open", ["opened", "closed"]),
      { label: "Ana joins", type: "participant_join", detail: somebody },
      { label: "Ana leaves", type: "participant_leave", detail: somebody },
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
      theirs by themselves.
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
