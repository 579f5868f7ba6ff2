import { describe, expect, test } from "vitest";
import { z } from "zod";
import { deviceProblems, type SpaceState } from "../../src/modules/joining/pages/space-page.ts";

/** The browser's module, as it is served; it knows nothing of a page. */
const { afterEvent, atFirst, knownTypes } = z
  .object({
    atFirst: z.custom<SpaceState>((value) => typeof value === "object"),
    knownTypes: z.array(z.string()),
    afterEvent: z.custom<(state: SpaceState, data: unknown) => SpaceState>(
      (value) => typeof value === "function",
    ),
  })
  .parse(await import(new URL("../../views/assets/embed-event.js", import.meta.url).href));

/** What is known after some events, where it differs from the beginning. */
function after(...events: readonly Event[]): Partial<SpaceState> {
  const end = events.reduce((state, [type, detail]) => afterEvent(state, { type, detail }), atFirst);
  const before = new Map<string, unknown>(Object.entries(atFirst));
  return Object.fromEntries(
    Object.entries(end).filter(([name, value]) => String(before.get(name)) !== String(value)),
  );
}

const ana = { id: "u1", name: "Ana", profileImage: "https://app.example/a.png", fullName: "Ana Example" };
type Event = [type: string, detail?: unknown];
const on = (type: string, detail?: unknown): Event => [type, detail];
const inCall = [on("user_joined_call")];

/** Events of the interface document's part 6.9. */
const documented = [
  ["call_ended", "camera_toggle", "chat_toggle", "connection_status_change"],
  ["device_performance_status_change", "device_status_change", "hand_raised", "microphone_toggle"],
  ["page_visibility_change", "participant_join", "participant_leave", "participantupdate", "pip_toggle"],
  ["ready", "recording_status_change", "screenshare_toggle", "user_ended_call", "user_joined_call"],
  ["user_left_call", "user_started_call"],
].flat();

test("exactly the twenty documented events have a rule", () => {
  expect([...knownTypes].sort()).toEqual(documented);
});

describe("Each event updates its part of the state", () => {
  test.each<[string, Event[], Partial<SpaceState>]>([
    ["the Space is ready", [on("ready", {})], { ready: true }],
    ["chat is opened", [on("chat_toggle", { open: true })], { chatOpen: true }],
    ["chat is closed again", [on("chat_toggle", { open: true }), on("chat_toggle", { open: false })], {}],
    ["I share my screen", [on("screenshare_toggle", { enabled: true })], { sharingScreen: true }],
    ["a recording starts", [on("recording_status_change", { status: "started" })], { recording: true }],
    [
      "a recording stops, whatever its status is called",
      [
        on("recording_status_change", { status: "started" }),
        on("recording_status_change", { status: "finished" }),
      ],
      {},
    ],
    ["the count changes", [on("participantupdate", { count: 3 })], { count: 3 }],
    ["the count is 0", [on("participantupdate", { count: 0 })], { count: 0 }],
    ["a person joins", [on("participant_join", ana)], { present: ["u1"] }],
    ["a person joins twice", [on("participant_join", ana), on("participant_join", ana)], { present: ["u1"] }],
    ["a person leaves", [on("participant_join", ana), on("participant_leave", ana)], {}],
    [
      "a count outranks who was seen",
      [
        on("participant_join", ana),
        on("participantupdate", { count: 9 }),
        on("participant_join", { id: "u2" }),
      ],
      { count: 9 },
    ],
    [
      "the network is unstable",
      [on("connection_status_change", { status: "Unstable" })],
      { connection: "unstable" },
    ],
    [
      "the network is stable again",
      [
        on("connection_status_change", { status: "Unstable" }),
        on("connection_status_change", { status: "Stable" }),
      ],
      {},
    ],
    [
      "the device is slow",
      [on("device_performance_status_change", { status: "Unstable" })],
      { performance: "unstable" },
    ],
    ["I start a call", [on("user_started_call", {})], { call: "in" }],
    ["I join a call", [on("user_joined_call", {})], { call: "in" }],
    ["I leave it", [...inCall, on("user_left_call", {})], { call: "left" }],
    ["another person ends it", [...inCall, on("call_ended", {})], { call: "ended-by-other" }],
    ["I end it", [...inCall, on("user_ended_call", {})], { call: "ended-by-me" }],
    ["the camera is turned on", [on("camera_toggle", { enabled: true })], { cameraOn: true }],
    ["the microphone goes off", [on("microphone_toggle", { enabled: false })], { microphoneOn: false }],
    ["two hands go up", [on("hand_raised", {}), on("hand_raised", {})], { hands: 2 }],
    ["I look at another tab", [on("page_visibility_change", { visible: false })], { visible: false }],
    ["picture in picture opens", [on("pip_toggle", { open: true })], { pictureInPicture: true }],
  ])("%s", (_what, events, changed) => expect(after(...events)).toEqual(changed));

  test.each(deviceProblems.flatMap((state) => [["microphone", state] as const, ["camera", state] as const]))(
    "the %s is %s, and then it is good",
    (deviceType, state) => {
      const wrong: [string, unknown] = ["device_status_change", { deviceType, state }];
      expect(after(wrong)).toEqual({ [deviceType]: state });
      expect(after(wrong, ["device_status_change", { deviceType, state: "Good" }])).toEqual({});
    },
  );
});

describe("Calls", () => {
  test("a call that I ended counts as ended by me even if the Space reports its end, too", () => {
    expect(after(...inCall, ["user_ended_call"], ["call_ended"])).toEqual({ call: "ended-by-me" });
  });
  test("a call that I left stays left when it ends later", () => {
    expect(after(...inCall, ["user_left_call"], ["call_ended"])).toEqual({ call: "left" });
  });
  test("a call that I joined again can be ended by another person", () => {
    expect(after(...inCall, ["user_left_call"], ...inCall, ["call_ended"])).toEqual({
      call: "ended-by-other",
    });
  });
  test("problems with devices end with the call", () => {
    const wrong = { deviceType: "camera", state: "NOT_FOUND" };
    const on = { enabled: true };
    expect(
      after(
        ...inCall,
        ["device_status_change", wrong],
        ["camera_toggle", on],
        ["screenshare_toggle", on],
        ["call_ended"],
      ),
    ).toEqual({ call: "ended-by-other" });
  });
});

describe("Whatever else may arrive", () => {
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["text", "ready"],
    ["a number", 7],
    ["a list", [{ type: "ready" }]],
    ["an object without a type", { detail: {} }],
    ["a type that is not a text", { type: { toString: () => "ready" } }],
    ["an unknown type", { type: "confetti", detail: {} }],
    ["a type that every object has", { type: "constructor", detail: {} }],
    ["another type that every object has", { type: "__proto__", detail: {} }],
    ["a type in capital letters", { type: "READY", detail: {} }],
    ["a message of the LMS", { subject: "lti.frameResize.response" }],
  ])("%s changes nothing", (_what, data) => expect(afterEvent(atFirst, data)).toBe(atFirst));

  const details: unknown[] = [
    undefined,
    null,
    0,
    "",
    "x",
    [],
    {},
    1n,
    Symbol("s"),
    new Date(),
    new Map(),
    () => 1,
  ];
  const oddValues: unknown[] = [
    undefined,
    null,
    NaN,
    -1,
    1.5,
    Infinity,
    "",
    "1",
    [],
    {},
    1n,
    Symbol("s"),
    true,
  ];
  const names = ["open", "enabled", "status", "count", "id", "deviceType", "state", "visible"];
  const bare: unknown = Object.create(null);
  const wholeDetails = [
    ...details,
    ...oddValues.map((value) => Object.fromEntries(names.map((name) => [name, value]))),
    { deviceType: "__proto__", state: "NOT_FOUND" },
    { deviceType: "microphone", state: null },
    bare,
  ];
  test.each(documented)("%s with an unexpected detail neither throws nor breaks the state", (type) => {
    for (const detail of wholeDetails) {
      const state = afterEvent(atFirst, { type, detail });
      expect(Object.keys(state)).toEqual(Object.keys(atFirst));
      expect(["stable", "unstable"]).toContain(state.connection);
      expect([null, ...deviceProblems]).toContain(state.camera);
      expect(state.count === null || (Number.isInteger(state.count) && state.count >= 0)).toBe(true);
    }
  });

  test("an undocumented error code counts as an error, too", () => {
    const detail = { deviceType: "camera", state: "ON_FIRE" };
    expect(after(["device_status_change", detail])).toEqual({ camera: "DEFAULT_ERROR" });
  });

  test("never changes the state it was given", () => {
    const before = structuredClone(atFirst);
    for (const type of documented) afterEvent(atFirst, { type, detail: { ...ana, count: 2, open: true } });
    expect(atFirst).toEqual(before);
  });
});
