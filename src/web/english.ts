import attendance from "../../views/locales/en/attendance.json" with { type: "json" };
import console from "../../views/locales/en/console.json" with { type: "json" };
import entry from "../../views/locales/en/entry.json" with { type: "json" };
import errors from "../../views/locales/en/errors.json" with { type: "json" };
import frame from "../../views/locales/en/frame.json" with { type: "json" };
import grades from "../../views/locales/en/grades.json" with { type: "json" };
import home from "../../views/locales/en/home.json" with { type: "json" };
import institution from "../../views/locales/en/institution.json" with { type: "json" };
import mail from "../../views/locales/en/mail.json" with { type: "json" };
import people from "../../views/locales/en/people.json" with { type: "json" };
import sessions from "../../views/locales/en/sessions.json" with { type: "json" };
import settings from "../../views/locales/en/settings.json" with { type: "json" };
import same from "../../views/locales/same.json" with { type: "json" };

/** By key: the key of the message that reads the same in every language. */
export { same };

/** By area, the first part of a key. Imported, so that the compiler knows every key; other languages are read from their folders. */
export const en = {
  ...attendance,
  ...console,
  ...entry,
  ...errors,
  ...frame,
  ...grades,
  ...home,
  ...institution,
  ...mail,
  ...people,
  ...sessions,
  ...settings,
};

type WithoutForm<Name extends string> = Name extends `${infer Start}_${Intl.LDMLPluralRule}` ? Start : Name;

type KeysIn<Messages> = {
  [Name in keyof Messages & string]: Messages[Name] extends string
    ? WithoutForm<Name>
    : `${Name}.${KeysIn<Messages[Name]>}`;
}[keyof Messages & string];

/** A key of the English messages, such as "nav.home", without plural forms. */
export type MessageKey = KeysIn<typeof en> | keyof typeof same;

/** The rest of keys with a beginning: of "grades.files.columns" such as "learner". */
export type KeysUnder<Start extends string> = MessageKey extends infer Key
  ? Key extends `${Start}.${infer Rest}`
    ? Rest
    : never
  : never;
