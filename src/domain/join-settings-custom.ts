import { joinAnswers, type JoinQuestion, settingsOfAnswer } from "./join-settings.ts";
import { languageOfLocale, type JoinSettings } from "./join-url.ts";
import { cutTo } from "../kernel/text.ts";

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

export type CustomSettings = {
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
