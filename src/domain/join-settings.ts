import { refusal } from "../kernel/refusal.ts";
import { cutTo, withoutTrailingSlashes } from "../kernel/text.ts";

/** How people enter a Space; all but the first three are documented parameters of the Space URL (part 4). */
export type JoinSettings = {
  /** Whether people whom the LMS lists neither as learners nor as staff of the course enter: observers, mentors, visitors. */
  guests: "enter" | "out";
  /** What a teacher's launch at top level leads to: the course's page, or the Space at once. In a frame it is the page. */
  instructors: "page" | "space";
  /** "tab" opens a new browser tab; "embedded" shows the Space inside the LMS page, with embed events. */
  mode: "tab" | "embedded";
  /** startCall: the call starts when the first host joins. */
  startCall: boolean;
  /** skipCallHostCheck: the first person to come starts the call. Needs `startCall`. */
  startCallForEveryone: boolean;
  /** skipDeviceSetup: no device check; microphone and camera start off. */
  skipDeviceSetup: boolean;
  /** gv: gallery view. */
  galleryView: boolean;
  /** standalone: no ways out of the Space, no Copy Link, no Invite Users. */
  standalone: boolean;
  /** "lms" follows the LMS's language, "classroom" leaves it to the classroom; else an ISO 639-1 code. */
  language: string;
  /** startLocalRecording: recording starts with the call, where the browser can record. */
  startLocalRecording: boolean;
};

export const defaultJoinSettings: JoinSettings = {
  // A role that an LMS does not name in the standard's words must lock nobody out.
  guests: "enter",
  instructors: "page",
  mode: "tab",
  startCall: true,
  startCallForEveryone: false,
  skipDeviceSetup: false,
  galleryView: false,
  standalone: true,
  language: "lms",
  startLocalRecording: false,
};

/**
 * With the documented parameters in a fixed order. Not encoded for `redirectUrl`: the classroom client does that, once.
 * On the token-login URL the parameters would have no effect.
 * @param entry.appUrl With or without a path and a closing slash.
 * @param entry.role startCall is left out for participants unless everyone may start.
 * @param entry.locale Such as "pt-BR" or Moodle's "zh_cn".
 * @param entry.mobile Phone or tablet: local recording is left out, the browser cannot do it.
 * @throws NamedError "space-id-unusable" when the id cannot stand in an address.
 */
export function joinUrl(entry: {
  appUrl: string;
  spaceId: string;
  settings: JoinSettings;
  role: "host" | "participant";
  locale: string | null;
  mobile: boolean;
}): string {
  const { settings, mobile } = entry;
  const starts = settings.startCall && (entry.role === "host" || settings.startCallForEveryone);
  const parameters: [name: string, value: boolean | string | null][] = [
    ["startCall", starts],
    ["skipCallHostCheck", starts && settings.startCallForEveryone],
    ["skipDeviceSetup", settings.skipDeviceSetup],
    ["gv", settings.galleryView],
    ["standalone", settings.standalone],
    ["language", languageOf(settings.language, entry.locale)],
    ["startLocalRecording", settings.startLocalRecording && !mobile],
    ["broadcastEvents", settings.mode === "embedded"],
  ];
  const query = parameters.flatMap(([name, value]) =>
    value === false || value === null ? [] : [`${name}=${value}`],
  );
  const url = spaceUrl(entry.appUrl, entry.spaceId);
  return query.length === 0 ? url : `${url}?${query.join("&")}`;
}

/** @throws NamedError "space-id-unusable" for an empty id, one of dots only, which addresses drop, or one with half a character. */
export function spaceUrl(appUrl: string, spaceId: string): string {
  if (/^\.*$/.test(spaceId) || !spaceId.isWellFormed()) throw refusal("space-id-unusable");
  return `${withoutTrailingSlashes(appUrl)}/spaces/${encodeURIComponent(spaceId)}`;
}

const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** The ISO 639-1 code of a locale, or null: "pt-BR" and "pt_br" are "pt", "deu" is "de", "fil" has no two-letter code. */
export function languageOfLocale(locale: string): string | null {
  // POSIX names such as "de_DE.UTF-8" and "de@euro", which some platforms send.
  const tag = locale.replace(/[.@][^]*/, "").replaceAll("_", "-");
  const subtag = /^[A-Za-z]{2,3}(?=-|$)/.exec(tag)?.[0].toLowerCase();
  if (subtag === undefined) return null;
  // Canonical form turns three-letter and withdrawn codes into today's ("deu" -> "de", "iw" -> "he", "sh" -> "sr-Latn").
  const canonical = Intl.getCanonicalLocales(subtag)[0]?.split("-")[0] ?? subtag;
  // Where the canonical language has no two-letter code ("tl" -> "fil"), the given code still is one.
  const code = canonical.length === 2 ? canonical : subtag;
  return code.length === 2 && languageNames.of(code) !== undefined ? code : null;
}

function languageOf(setting: string, locale: string | null): string | null {
  if (setting === "classroom") return null;
  if (setting === "lms") return locale === null ? null : languageOfLocale(locale);
  return languageOfLocale(setting);
}

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

/** Custom parameters of a link that set how people enter (documented in lti-config). */
export const settingParameters: Readonly<Record<JoinQuestion, string>> = {
  mode: "space_mode",
  instructors: "space_instructors",
  call: "space_start_call",
  skipDeviceSetup: "space_skip_device_setup",
  galleryView: "space_gallery_view",
  standalone: "space_standalone",
  guests: "space_guests",
  language: "space_language",
  startLocalRecording: "space_local_recording",
};

export type IgnoredParameter = { name: string; value: string };

type CustomSettings = {
  settings: Partial<JoinSettings>;
  /** In the order of their names, shortened; never an error. */
  ignored: readonly IgnoredParameter[];
};

/** So that many parameters cannot swell a link's record. */
const maxIgnored = 10;
const maxShownLength = 60;

/**
 * "space_..." ("spaces_..." are ours). LMSs write typed values differently: case and spaces do not count; yes, on and 1
 * are true.
 */
export function customSettingsOf(custom: Readonly<Record<string, string>>): CustomSettings {
  const ours = Object.entries(custom)
    .filter(([name]) => name.startsWith("space_"))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const settings: Partial<JoinSettings> = {};
  const ignored: IgnoredParameter[] = [];
  for (const [name, value] of ours) {
    const read = readParameter(name, value.trim().toLowerCase());
    if (read !== null) Object.assign(settings, read);
    else ignored.push({ name: shortened(name), value: shortened(value) });
  }
  return { settings, ignored: ignored.slice(0, maxIgnored) };
}

const questions = new Map(Object.entries(settingParameters).map(([question, name]) => [name, question]));
const yes = new Set(["true", "yes", "on", "1"]);
const no = new Set(["false", "no", "off", "0"]);

function readParameter(name: string, value: string): Partial<JoinSettings> | null {
  const question = questions.get(name);
  if (question === undefined || !isQuestion(question)) return null;
  return settingsOfAnswer(question, answerFrom(question, value));
}

function isQuestion(name: string): name is JoinQuestion {
  return name in settingParameters;
}

function answerFrom(question: JoinQuestion, value: string): string {
  if (question === "language") {
    return value === "lms" || value === "classroom" ? value : (languageOfLocale(value) ?? value);
  }
  if (question === "call") return yes.has(value) ? "host" : no.has(value) ? "nobody" : value;
  if (!joinAnswers[question].includes("yes")) return value;
  return yes.has(value) ? "yes" : no.has(value) ? "no" : value;
}

function shortened(text: string): string {
  return text.length > maxShownLength ? `${cutTo(text, maxShownLength)}…` : text;
}
