import { cutTo } from "../kernel/text.ts";
import { type JoinOption, type JoinOptionName, joinNames, joinOptions } from "./options.ts";

export type IgnoredParameter = { name: string; value: string };

/** So that many parameters cannot swell a link's record. */
const maxIgnored = 10;
const maxIgnoredLength = 60;

/**
 * "space_..." ("spaces_..." are ours). LMSs write typed values differently: case and spaces do not count; yes, on and 1
 * are true.
 */
export function customSettingsOf(custom: Readonly<Record<string, string>>) {
  const settings = new Map<JoinOptionName, boolean | string>();
  /** In the order of their names, shortened; never an error. */
  const ignored: IgnoredParameter[] = [];
  for (const [name, value] of Object.entries(custom).sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!name.startsWith("space_")) continue;
    const option = joinNames.find((one) => joinOptions[one].custom === name);
    const read = option === undefined ? null : readCustom(joinOptions[option], value.trim().toLowerCase());
    if (option === undefined || read === null)
      ignored.push({ name: shortened(name), value: shortened(value) });
    else settings.set(option, read);
  }
  return { settings: Object.fromEntries(settings), ignored: ignored.slice(0, maxIgnored) };
}

function readCustom({ form, spelled }: JoinOption<boolean | string>, value: string): boolean | string | null {
  return form.read(spelled === undefined ? value : spelled(value));
}

function shortened(text: string): string {
  return text.length > maxIgnoredLength ? `${cutTo(text, maxIgnoredLength)}…` : text;
}
