import { languageOfLocale, type JoinSettings } from "./join-url.ts";

/** The questions behind `JoinSettings`, as the settings page and the LMS's custom parameters ask them. */
export const joinQuestions = [
  "mode",
  "call",
  "skipDeviceSetup",
  "galleryView",
  "standalone",
  "language",
  "startLocalRecording",
] as const;
export type JoinQuestion = (typeof joinQuestions)[number];

/** Something for each question. */
export function ofEachQuestion<T>(of: (question: JoinQuestion) => T): Record<JoinQuestion, T> {
  return {
    mode: of("mode"),
    call: of("call"),
    skipDeviceSetup: of("skipDeviceSetup"),
    galleryView: of("galleryView"),
    standalone: of("standalone"),
    language: of("language"),
    startLocalRecording: of("startLocalRecording"),
  };
}

/** What may be answered; a language is "lms", "classroom" or an ISO 639-1 code. */
export const joinAnswers: Readonly<Record<Exclude<JoinQuestion, "language">, readonly string[]>> = {
  mode: ["tab", "embedded"],
  call: ["host", "anyone", "nobody"],
  skipDeviceSetup: ["yes", "no"],
  galleryView: ["yes", "no"],
  standalone: ["yes", "no"],
  startLocalRecording: ["yes", "no"],
};

/** The settings that an answer means; null for an answer nobody offered. */
export function settingsOfAnswer(question: JoinQuestion, answer: string): Partial<JoinSettings> | null {
  if (question === "language") return isLanguageSetting(answer) ? { language: answer } : null;
  if (!joinAnswers[question].includes(answer)) return null;
  switch (question) {
    case "mode":
      return { mode: answer === "embedded" ? "embedded" : "tab" };
    case "call":
      return { startCall: answer !== "nobody", startCallForEveryone: answer === "anyone" };
    default:
      return { [question]: answer === "yes" };
  }
}

/** The answer that settings give to a question; null when they do not answer it. */
export function answerOfSettings(question: JoinQuestion, settings: Partial<JoinSettings>): string | null {
  switch (question) {
    case "mode":
      return settings.mode ?? null;
    case "language":
      return settings.language ?? null;
    case "call":
      if (settings.startCall === undefined) return null;
      if (!settings.startCall) return "nobody";
      return settings.startCallForEveryone === true ? "anyone" : "host";
    default:
      return settings[question] === undefined ? null : settings[question] ? "yes" : "no";
  }
}

/**
 * The settings with which people enter through a link: the course's, over them what the link's custom parameters in
 * the LMS say, over these what an instructor chose for this link on our page. What the institution has locked wins over
 * all of them.
 * @param link Null for people who come through none.
 */
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

/** A language a Space may be shown in: the LMS's, the classroom's own choice, or a known ISO 639-1 code. */
function isLanguageSetting(text: string): boolean {
  return text === "lms" || text === "classroom" || languageOfLocale(text) === text;
}
