import { lazily } from "../kernel/async.ts";
import { refusal } from "../kernel/refusal.ts";
import { withoutTrailingSlashes } from "../kernel/text.ts";
import type { JoinSettings } from "../settings/options.ts";

/**
 * The address that opens a Space, with the documented parameters in a fixed order. It isn't encoded for `redirectUrl`: the classroom
 * client does that, once. On the token-login URL, the parameters would have no effect.
 * @param entry.appUrl With or without a path and a closing slash.
 * @param entry.role Participants get no startCall unless everyone may start the call.
 * @param entry.locale Such as "pt-BR" or Moodle's "zh_cn".
 * @param entry.mobile On a phone or tablet, local recording is left out because the browser can't do it.
 * @throws NamedError "space-id-unusable" when an address can't contain the id.
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
  const isStarted = settings.call === "anyone" || (settings.call === "host" && entry.role === "host");
  const parameters: [name: string, value: boolean | string | null][] = [
    ["startCall", isStarted],
    ["skipCallHostCheck", settings.call === "anyone"],
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

/** @throws NamedError "space-id-unusable" for an id that is empty, only dots (addresses drop them), or ends in half a character. */
export function spaceUrl(appUrl: string, spaceId: string): string {
  if (/^\.*$/.test(spaceId) || !spaceId.isWellFormed()) throw refusal("space-id-unusable");
  return `${withoutTrailingSlashes(appUrl)}/spaces/${encodeURIComponent(spaceId)}`;
}

const languageNames = lazily(() => new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }));

/** The ISO 639-1 code of a locale, or null: "pt-BR" and "pt_br" are "pt", "deu" is "de", "fil" has no two-letter code. */
export function languageOfLocale(locale: string): string | null {
  // Some platforms send POSIX names such as "de_DE.UTF-8" and "de@euro".
  const tag = locale.replace(/[.@][^]*/, "").replaceAll("_", "-");
  const subtag = /^[A-Za-z]{2,3}(?=-|$)/.exec(tag)?.[0].toLowerCase();
  if (subtag === undefined) return null;
  // The canonical form replaces three-letter and withdrawn codes ("deu" -> "de", "iw" -> "he", "sh" -> "sr-Latn").
  const canonical = Intl.getCanonicalLocales(subtag)[0]?.split("-")[0] ?? subtag;
  // If the canonical language has no two-letter code ("tl" -> "fil"), we take the given one.
  const code = canonical.length === 2 ? canonical : subtag;
  return code.length === 2 && languageNames().of(code) !== undefined ? code : null;
}

function languageOf(setting: string, locale: string | null): string | null {
  if (setting === "classroom") return null;
  if (setting === "lms") return locale === null ? null : languageOfLocale(locale);
  return languageOfLocale(setting);
}
