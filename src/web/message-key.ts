import type { en } from "./english.ts";

type WithoutForm<Name extends string> = Name extends `${infer Start}_${Intl.LDMLPluralRule}` ? Start : Name;

type KeysIn<Messages> = {
  [Name in keyof Messages & string]: Messages[Name] extends string
    ? WithoutForm<Name>
    : `${Name}.${KeysIn<Messages[Name]>}`;
}[keyof Messages & string];

/** A key of the English messages, such as "nav.home", without plural forms. */
export type MessageKey = KeysIn<typeof en>;

/** The rest of keys with a beginning: of "grades.files.columns" such as "learner". */
export type KeysUnder<Start extends string> = MessageKey extends infer Key
  ? Key extends `${Start}.${infer Rest}`
    ? Rest
    : never
  : never;
