import type { en } from "./english.ts";

type WithoutForm<Name extends string> = Name extends `${infer Start}_${Intl.LDMLPluralRule}` ? Start : Name;

type KeysIn<Messages> = {
  [Name in keyof Messages & string]: Messages[Name] extends string
    ? WithoutForm<Name>
    : `${Name}.${KeysIn<Messages[Name]>}`;
}[keyof Messages & string];

/** The key of a message that there is in English, such as "nav.home"; without the form that a count chooses. */
export type MessageKey = KeysIn<typeof en>;

/** How the keys go on that begin so: of "grades.files.columns" such as "learner". */
export type KeysUnder<Start extends string> = MessageKey extends infer Key
  ? Key extends `${Start}.${infer Rest}`
    ? Rest
    : never
  : never;
