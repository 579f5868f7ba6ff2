// Document part 6.9. Only the browser gets these events: what each changes is in `views/assets/embed-event.js`.

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

/** How a call ended for this person. */
export const callEndings = ["left", "ended-by-other", "ended-by-me"] as const;

/** What an embedded Space's events have said; null is "not yet". */
export type SpaceState = {
  ready: boolean;
  /** "none": no call so far, or not in it. */
  call: "none" | "in" | (typeof callEndings)[number];
  /** As last reported. */
  count: number | null;
  /** Ids seen joining and not leaving; empty once a count came. */
  present: readonly string[];
  recording: boolean;
  connection: "stable" | "unstable";
  performance: "stable" | "unstable";
  /** null: the device works, or was not mentioned. */
  microphone: (typeof deviceProblems)[number] | null;
  camera: (typeof deviceProblems)[number] | null;
  hands: number;
  microphoneOn: boolean | null;
  cameraOn: boolean | null;
  chatOpen: boolean;
  sharingScreen: boolean;
  pictureInPicture: boolean;
  visible: boolean;
};
