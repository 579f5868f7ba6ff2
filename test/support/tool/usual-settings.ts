/** The form of a course's settings as a new course has it, as a browser posts it. */
export const usualSettings = {
  ...{ mode: "tab", instructors: "page", call: "host", skipDeviceSetup: "no", galleryView: "no" },
  ...{ standalone: "yes", guests: "enter", language: "lms", startLocalRecording: "no" },
  ...{ opens: "always", minutesBefore: "15", minutesAfter: "15", who: "all", access: "unknown" },
};
