/**
 * What an embedded Space tells the page around it (document part 6.9). Only the browser hears these events, and its
 * files are served as they are written: the rules of what each event changes are plain JavaScript in
 * `views/assets/embed-event.js`; their words and the shape of what they keep stand here.
 */
export const embedEventTypes = [
  "ready",
  "chat_toggle",
  "screenshare_toggle",
  "recording_status_change",
  "participantupdate",
  "participant_join",
  "participant_leave",
  "connection_status_change",
  "device_performance_status_change",
  "device_status_change",
  "user_started_call",
  "user_joined_call",
  "user_left_call",
  "call_ended",
  "user_ended_call",
  "camera_toggle",
  "microphone_toggle",
  "hand_raised",
  "page_visibility_change",
  "pip_toggle",
] as const;

/** Devices whose state a Space tells. */
export const devices = ["microphone", "camera"] as const;

/** States of a device other than "Good" (document part 3). */
export const deviceProblems = [
  "PERMISSION_DENIED",
  "PERMISSION_DENIED_BY_SYSTEM",
  "NOT_FOUND",
  "NO_INPUT_DETECTED",
  "GET_USER_MEDIA_TIMEOUT",
  "DEFAULT_ERROR",
] as const;

/** How a call was over for this person. */
export const callEndings = ["left", "ended-by-other", "ended-by-me"] as const;

/** What is known of an embedded Space from its events; null is "it has not said". */
export type SpaceState = {
  ready: boolean;
  /** "none": no call so far, or not in it. */
  call: "none" | "in" | (typeof callEndings)[number];
  /** How many people are there, as told last. */
  count: number | null;
  /** Ids of people seen coming and not leaving; empty once a count was told. */
  present: readonly string[];
  recording: boolean;
  connection: "stable" | "unstable";
  performance: "stable" | "unstable";
  /** null is a device that works, or of which nothing was said. */
  microphone: (typeof deviceProblems)[number] | null;
  camera: (typeof deviceProblems)[number] | null;
  /** How often a hand went up. */
  hands: number;
  microphoneOn: boolean | null;
  cameraOn: boolean | null;
  chatOpen: boolean;
  sharingScreen: boolean;
  pictureInPicture: boolean;
  visible: boolean;
};
