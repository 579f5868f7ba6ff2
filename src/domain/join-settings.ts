import { languageOfLocale, type JoinSettings } from "./join-url.ts";

/** The questions behind `JoinSettings` on the settings page and in custom parameters. */
export const joinQuestions = [
  "mode",
  "instructors",
  "call",
  "skipDeviceSetup",
  "galleryView",
  "standalone",
  "guests",
  "language",
  "startLocalRecording",
] as const;
export type JoinQuestion = (typeof joinQuestions)[number];

export function ofEachQuestion<T>(of: (question: JoinQuestion) => T): Record<JoinQuestion, T> {
  return {
    mode: of("mode"),
    instructors: of("instructors"),
    call: of("call"),
    skipDeviceSetup: of("skipDeviceSetup"),
    galleryView: of("galleryView"),
    standalone: of("standalone"),
    guests: of("guests"),
    language: of("language"),
    startLocalRecording: of("startLocalRecording"),
  };
}

/** Allowed answers; a language is "lms", "classroom" or an ISO 639-1 code. */
export const joinAnswers: Readonly<Record<Exclude<JoinQuestion, "language">, readonly string[]>> = {
  mode: ["tab", "embedded"],
  instructors: ["page", "space"],
  call: ["host", "anyone", "nobody"],
  skipDeviceSetup: ["yes", "no"],
  galleryView: ["yes", "no"],
  standalone: ["yes", "no"],
  guests: ["enter", "out"],
  startLocalRecording: ["yes", "no"],
};

/** Null for an answer that is not offered. */
export function settingsOfAnswer(question: JoinQuestion, answer: string): Partial<JoinSettings> | null {
  if (question === "language") return isLanguageSetting(answer) ? { language: answer } : null;
  if (!joinAnswers[question].includes(answer)) return null;
  switch (question) {
    case "mode":
      return { mode: answer === "embedded" ? "embedded" : "tab" };
    case "instructors":
      return { instructors: answer === "space" ? "space" : "page" };
    case "guests":
      return { guests: answer === "out" ? "out" : "enter" };
    case "call":
      return { startCall: answer !== "nobody", startCallForEveryone: answer === "anyone" };
    default:
      return { [question]: answer === "yes" };
  }
}

/** Null when the settings do not answer the question. */
export function answerOfSettings(question: JoinQuestion, settings: Partial<JoinSettings>): string | null {
  switch (question) {
    case "mode":
    case "instructors":
    case "guests":
    case "language":
      return settings[question] ?? null;
    case "call":
      if (settings.startCall === undefined) return null;
      if (!settings.startCall) return "nobody";
      return settings.startCallForEveryone === true ? "anyone" : "host";
    default:
      return settings[question] === undefined ? null : settings[question] ? "yes" : "no";
  }
}

/** The later wins: the course's settings, the link's custom parameters, its settings on our page, the institution's locks. */
export function settingsInEffect(
  course: { settings: JoinSettings; locked?: readonly string[] | undefined },
  link: { settings: Partial<JoinSettings>; customSettings: Partial<JoinSettings> } | null,
): JoinSettings {
  const chosen: JoinSettings = { ...course.settings, ...link?.customSettings, ...link?.settings };
  for (const question of joinQuestions) {
    if (course.locked?.includes(question) !== true) continue;
    const answer = answerOfSettings(question, course.settings);
    if (answer !== null) Object.assign(chosen, settingsOfAnswer(question, answer));
  }
  return chosen;
}

function isLanguageSetting(text: string): boolean {
  return text === "lms" || text === "classroom" || languageOfLocale(text) === text;
}
