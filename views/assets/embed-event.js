// What each event of an embedded Space changes (interface document, part 6.9). A plain module without a page, so
// that tests can import it: there is no build step between it and the browser. Anybody may send details, so those that
// don't follow the document change nothing, and nothing throws.

/** @typedef {import("../../src/modules/joining/pages/space-page.ts").SpaceState} SpaceState */

/** @type {SpaceState} before the Space has said anything. */
export const atFirst = Object.freeze({
  ready: false,
  call: "none",
  count: null,
  present: Object.freeze([]),
  recording: false,
  connection: "stable",
  performance: "stable",
  microphone: null,
  camera: null,
  hands: 0,
  microphoneOn: null,
  cameraOn: null,
  chatOpen: false,
  sharingScreen: false,
  pictureInPicture: false,
  visible: true,
});

const deviceProblems = new Set([
  "PERMISSION_DENIED",
  "PERMISSION_DENIED_BY_SYSTEM",
  "NOT_FOUND",
  "NO_INPUT_DETECTED",
  "GET_USER_MEDIA_TIMEOUT",
  "DEFAULT_ERROR",
]);

/** The Space reports devices only while a call is connected, so what it reported ends with the call. */
const noDevices = { microphone: null, camera: null, microphoneOn: null, cameraOn: null, sharingScreen: false };

/** Copies the flag `name` of the detail into `field`. */
const flag = (name, field) => (state, detail) =>
  typeof detail[name] === "boolean" ? { ...state, [field]: detail[name] } : state;

/** Takes a documented status of the connection or the device. */
const steadiness = (field) => (state, detail) => {
  const status = lower(detail.status);
  return status === "stable" || status === "unstable" ? { ...state, [field]: status } : state;
};

const joined = (state) => ({ ...state, call: "in" });

/** The first ending counts: a Space may report both that somebody ended the call and that it has ended. */
const over = (ending) => (state) =>
  state.call === "none" || state.call === "in" ? { ...state, ...noDevices, call: ending } : state;

function device(state, { deviceType, state: told }) {
  const name = lower(deviceType);
  if ((name !== "microphone" && name !== "camera") || typeof told !== "string") return state;
  if (lower(told) === "good") return { ...state, [name]: null };
  const code = told.toUpperCase();
  return { ...state, [name]: deviceProblems.has(code) ? code : "DEFAULT_ERROR" };
}

function count(state, detail) {
  const isCount = Number.isSafeInteger(detail.count) && detail.count >= 0;
  return isCount ? { ...state, count: detail.count, present: [] } : state;
}

/** Counts people only if the Space doesn't report their number. */
const person = (comes) => (state, { id }) => {
  if (state.count !== null || (typeof id !== "string" && typeof id !== "number")) return state;
  const others = state.present.filter((one) => one !== String(id));
  return { ...state, present: comes ? [...others, String(id)] : others };
};

/** "started" is the one documented value; the event comes only when a recording starts or stops. */
function recording(state, { status }) {
  return typeof status === "string" ? { ...state, recording: lower(status) === "started" } : state;
}

const steps = new Map([
  ["ready", (state) => ({ ...state, ready: true })],
  ["chat_toggle", flag("open", "chatOpen")],
  ["screenshare_toggle", flag("enabled", "sharingScreen")],
  ["recording_status_change", recording],
  ["participantupdate", count],
  ["participant_join", person(true)],
  ["participant_leave", person(false)],
  ["connection_status_change", steadiness("connection")],
  ["device_performance_status_change", steadiness("performance")],
  ["device_status_change", device],
  ["user_started_call", joined],
  ["user_joined_call", joined],
  ["user_left_call", over("left")],
  ["call_ended", over("ended-by-other")],
  ["user_ended_call", over("ended-by-me")],
  ["camera_toggle", flag("enabled", "cameraOn")],
  ["microphone_toggle", flag("enabled", "microphoneOn")],
  ["hand_raised", (state) => ({ ...state, hands: state.hands + 1 })],
  ["page_visibility_change", flag("visible", "visible")],
  ["pip_toggle", flag("open", "pictureInPicture")],
]);

/** The event types that change something. */
export const knownTypes = [...steps.keys()];

/**
 * The state after a message; the same object if the message isn't an event or says nothing new.
 * @param {SpaceState} state
 * @param {unknown} data of a message event: { type, detail }.
 * @returns {SpaceState}
 */
export function afterEvent(state, data) {
  if (typeof data !== "object" || data === null || typeof data.type !== "string") return state;
  const step = steps.get(data.type);
  if (step === undefined) return state;
  const { detail } = data;
  return step(state, typeof detail === "object" && detail !== null ? detail : {});
}

function lower(value) {
  return typeof value === "string" ? value.toLowerCase() : null;
}
