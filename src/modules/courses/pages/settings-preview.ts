import { joinUrl } from "../../../domain/join-settings.ts";
import { inLink } from "../../../settings/in-effect.ts";
import type { Course } from "../../../domain/course.ts";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { type SettingsForm, settingsTyped } from "./settings-form.ts";
import { answerText, type SettingsScope } from "./settings-view.ts";

/** Without a login: that is asked for on entry. */
export type AddressPreview = {
  /** Whether the Space exists; before, a placeholder stands for its id. */
  made: boolean;
  addresses: { who: string; address: string }[];
  /** Of the addresses, with a sentence each and whose address has it. */
  parameters: { text: string; sentence: string; who: string }[];
};

/** Also alone, for the page's script. */
export type SettingsPreview = { t: Translate; preview: AddressPreview };

const notMade = "SPACE-ID";

/** At a computer, in the reader's language. @param from.form As typed; unusable answers count as not given. */
export function addressPreview(
  t: Translate,
  from: {
    appUrl: string;
    session: Pick<Session, "locale">;
    course: Course;
    link: CourseLink | null;
    scope: SettingsScope;
    form: SettingsForm;
  },
): AddressPreview {
  const { appUrl, course, link, scope, form, session } = from;
  const typed = settingsTyped(form);
  const settings =
    scope === "link" && link !== null
      ? inLink(course, { ...link, settings: typed }).settings
      : { ...course.settings, ...typed };
  const spaceId = scope === "link" && link?.choice.kind === "space" ? link.choice.spaceId : course.spaceId;
  const address = (role: "host" | "participant") =>
    joinUrl({
      appUrl,
      spaceId: spaceId ?? notMade,
      settings,
      role,
      locale: session.locale,
      mobile: false,
    });
  const [host, participant] = [address("host"), address("participant")];
  return {
    made: spaceId !== null,
    addresses: [
      { who: t("settings.preview.host"), address: host },
      { who: t("settings.preview.participant"), address: participant },
    ],
    parameters: parametersOf(t, host, participant, settings.language === "lms"),
  };
}

function parametersOf(t: Translate, host: string, participant: string, followsReader: boolean) {
  const [ofHost, ofParticipant] = [new URL(host).searchParams, new URL(participant).searchParams];
  const names = [...new Set([...ofHost.keys(), ...ofParticipant.keys()])];
  return names.map((name) => {
    const value = ofHost.get(name) ?? ofParticipant.get(name) ?? "";
    const both = ofHost.has(name) && ofParticipant.has(name);
    const who = both ? "both" : ofHost.has(name) ? "host" : "participant";
    return {
      text: `${name}=${value}`,
      sentence: sentenceOf(t, name, value, followsReader),
      who: t(`settings.preview.who.${who}`),
    };
  });
}

function sentenceOf(t: Translate, name: string, value: string, followsReader: boolean): string {
  if (name !== "language") return t.dynamic(`settings.preview.says.${name}`) ?? name;
  const language = answerText(t, "language", value);
  return t(`settings.preview.language.${followsReader ? "reader" : "fixed"}`, { language });
}
