import { index, describeRecord, type ItemOf } from "../../../domain/record.ts";
import { json, number, text } from "../../../domain/record-fields.ts";
import { accentColours, colourFrom, isReadable, nearestReadable, wordsOn } from "./accent-colours.ts";
import { judgeLogo, type LogoKind, type LogoProblem } from "./logo-file.ts";

/** `digest`: its address; `data`: the file in base64. */
export type Logo = { kind: LogoKind; digest: string; data: string };

export const institutionLookRecord = describeRecord("InstitutionLook", {
  id: "registrationId",
  fields: {
    /** Grows with every change, against overwriting unseen ones. */
    revision: number,
    /** Empty where nothing is shown. */
    name: text.or(""),
    /** "#rrggbb". */
    accent: text.orNull,
    /** Null: derived from `accent`. */
    accentDark: text.orNull,
    logo: json<Logo>().orNull,
    /** Null: as on light pages. */
    logoDark: json<Logo>().orNull,
  },
  indexes: [index("logo.digest"), index("logoDark.digest")],
  held: {
    key: "institutionLooks",
    holds: "name, colours and logo of an institution, as pages of its courses show them; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

type LogoShown = Omit<Logo, "data">;

/** How the courses of an LMS look, without the files. */
export type InstitutionLook = Omit<ItemOf<typeof institutionLookRecord>, "logo" | "logoDark"> & {
  logo: LogoShown | null;
  logoDark: LogoShown | null;
};

export function plainLook(registrationId: string): InstitutionLook {
  return {
    ...{ registrationId, revision: 0, name: "", accent: null, accentDark: null },
    ...{ logo: null, logoDark: null },
  };
}

/** "keep": as it is; null: none. */
export type LogoChange = "keep" | Logo | null;

export type LookChange = Pick<
  InstitutionLook,
  "registrationId" | "revision" | "name" | "accent" | "accentDark"
> & {
  logo: LogoChange;
  logoDark: LogoChange;
};

/** A form: words as typed, files as sent (null for none), and which logos are to go. */
export type TypedLook = {
  name: string;
  accent: string;
  accentDark: string;
  logo: Uint8Array | null;
  logoDark: Uint8Array | null;
  removes: { logo: boolean; logoDark: boolean };
};

export type LookField = "name" | "accent" | "accentDark" | "logo" | "logoDark";

/** "light-first": the one for dark pages was given alone. */
export type LookProblem =
  | { why: "not-a-colour" | "light-first" | "name-needed" | "name-too-long" | LogoProblem }
  | { why: "contrast"; nearest: string };

export type LookProblems = Partial<Record<LookField, LookProblem>>;

export const maxNameCharacters = 100;

/** A file that was found to be a logo; its digest is the caller's. */
type LogoFile = { kind: LogoKind; bytes: Uint8Array };

type ReadLook = Pick<LookChange, "name" | "accent" | "accentDark"> &
  Record<"logo" | "logoDark", "keep" | LogoFile | null>;

/** What a form says, or what is wrong with it. @param seen What it was filled from. */
export function readLook(
  typed: TypedLook,
  seen: Pick<InstitutionLook, "logo" | "logoDark">,
): { read: ReadLook; problems: null } | { read: null; problems: LookProblems } {
  const problems: LookProblems = {};
  const read = {
    name: typed.name.trim(),
    accent: readColour(typed, "accent", problems),
    accentDark: readColour(typed, "accentDark", problems),
    logo: readFile(typed, "logo", problems),
    logoDark: readFile(typed, "logoDark", problems),
  };
  const has = (field: "logo" | "logoDark") => (read[field] === "keep" ? seen[field] : read[field]) !== null;
  needLight(["accent", "accentDark"], [read.accent !== null, read.accentDark !== null], problems);
  needLight(["logo", "logoDark"], [has("logo"), has("logoDark")], problems);
  if (read.name === "" && (has("logo") || has("logoDark"))) problems.name = { why: "name-needed" };
  if (read.name.length > maxNameCharacters) problems.name = { why: "name-too-long" };
  return Object.keys(problems).length > 0 ? { read: null, problems } : { read, problems: null };
}

/** What is for dark pages stands beside something for light ones. */
function needLight(
  [light, dark]: readonly [LookField, LookField],
  [hasLight, hasDark]: readonly [boolean, boolean],
  problems: LookProblems,
): void {
  if (hasDark && !hasLight && problems[light] === undefined) problems[dark] ??= { why: "light-first" };
}

function readColour(typed: TypedLook, field: "accent" | "accentDark", problems: LookProblems): string | null {
  if (typed[field].trim() === "") return null;
  const colour = colourFrom(typed[field]);
  const scheme = field === "accent" ? "light" : "dark";
  if (colour === null) problems[field] = { why: "not-a-colour" };
  else if (!isReadable(colour, scheme))
    problems[field] = { why: "contrast", nearest: nearestReadable(colour, scheme) };
  return colour;
}

function readFile(
  typed: TypedLook,
  field: "logo" | "logoDark",
  problems: LookProblems,
): "keep" | LogoFile | null {
  const bytes = typed[field];
  // A new file wins over the wish to have none.
  if (bytes === null) return typed.removes[field] ? null : "keep";
  const judged = judgeLogo(bytes);
  if (typeof judged === "string") return { kind: judged, bytes };
  problems[field] = { why: judged.problem };
  return null;
}

/** What pages of a course show of their institution. Addresses are below /brand, and what is at one never changes. */
export type Brand = {
  name: string;
  /** Null: the tool's own colours. */
  sheet: string | null;
  /** `dark`: null where it is the same. */
  logo: { light: string; dark: string | null } | null;
};

/** Null where nothing is set. */
export function brandOf({ name, accent, accentDark, logo, logoDark }: InstitutionLook): Brand | null {
  if (name === "" && accent === null) return null;
  return {
    name,
    sheet: accent === null ? null : sheetAddress(accent, accentDark),
    logo:
      logo === null
        ? null
        : { light: logoAddress(logo), dark: logoDark === null ? null : logoAddress(logoDark) },
  };
}

export function logoAddress({ kind, digest }: LogoShown): string {
  return `/brand/${digest}.${kind}`;
}

function sheetAddress(accent: string, accentDark: string | null): string {
  const { light, dark } = accentColours(accent, accentDark);
  return `/brand/${light.slice(1)}-${dark.slice(1)}.css`;
}

/** The style sheet at an address: colours alone, which the address names. Null where they could not be read. */
export function sheetAt(light: string, dark: string): string | null {
  if (!isReadable(light, "light") || !isReadable(dark, "dark")) return null;
  const values = [
    `--brand:${light}`,
    `--brand-on:${wordsOn(light)}`,
    `--brand-dark:${dark}`,
    `--brand-dark-on:${wordsOn(dark)}`,
  ];
  return `:root{${values.join(";")}}\n`;
}
