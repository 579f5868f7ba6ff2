import { describeRecord, index, type ItemOf, json, number, text } from "../../../domain/record.ts";
import { carriesWhiteWords, colourFrom } from "./accent-colour.ts";
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
    logo: json<Logo>().orNull,
    /** Null: as on light pages. */
    logoDark: json<Logo>().orNull,
  },
  indexes: [index("logo.digest"), index("logoDark.digest")],
  held: {
    key: "institutionLooks",
    holds: "name, colour and logo of an institution, as pages of its courses show them; no person",
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
    ...{ registrationId, revision: 0, name: "", accent: null },
    ...{ logo: null, logoDark: null },
  };
}

/** "keep": as it is; null: none. */
export type LogoChange = "keep" | Logo | null;

export type LookChange = Pick<InstitutionLook, "registrationId" | "revision" | "name" | "accent"> & {
  logo: LogoChange;
  logoDark: LogoChange;
};

/** A form: words as typed, files as sent (null for none), and which logos are to go. */
export type TypedLook = {
  name: string;
  accent: string;
  logo: Uint8Array | null;
  logoDark: Uint8Array | null;
  removes: { logo: boolean; logoDark: boolean };
};

export type LookField = "name" | "accent" | "logo" | "logoDark";

/** "light-first": the logo for dark pages was given alone; "contrast": white words on the colour cannot be read. */
export type LookProblem =
  "not-a-colour" | "contrast" | "light-first" | "name-needed" | "name-too-long" | LogoProblem;

export type LookProblems = Partial<Record<LookField, LookProblem>>;

export const maxNameCharacters = 100;

/** A file that was found to be a logo; its digest is the caller's. */
type LogoFile = { kind: LogoKind; bytes: Uint8Array };

type ReadLook = Pick<LookChange, "name" | "accent"> & Record<"logo" | "logoDark", "keep" | LogoFile | null>;

/** What a form says, or what is wrong with it. @param seen What it was filled from. */
export function readLook(
  typed: TypedLook,
  seen: Pick<InstitutionLook, "logo" | "logoDark">,
): { read: ReadLook; problems: null } | { read: null; problems: LookProblems } {
  const problems: LookProblems = {};
  const read = {
    name: typed.name.trim(),
    accent: readColour(typed, problems),
    logo: readFile(typed, "logo", problems),
    logoDark: readFile(typed, "logoDark", problems),
  };
  const has = (field: "logo" | "logoDark") => (read[field] === "keep" ? seen[field] : read[field]) !== null;
  if (has("logoDark") && !has("logo") && problems.logo === undefined) problems.logoDark ??= "light-first";
  if (read.name === "" && (has("logo") || has("logoDark"))) problems.name = "name-needed";
  if (read.name.length > maxNameCharacters) problems.name = "name-too-long";
  return Object.keys(problems).length > 0 ? { read: null, problems } : { read, problems: null };
}

function readColour({ accent }: TypedLook, problems: LookProblems): string | null {
  if (accent.trim() === "") return null;
  const colour = colourFrom(accent);
  if (colour === null) problems.accent = "not-a-colour";
  else if (!carriesWhiteWords(colour)) problems.accent = "contrast";
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
  problems[field] = judged.problem;
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
export function brandOf({ name, accent, logo, logoDark }: InstitutionLook): Brand | null {
  if (name === "" && accent === null) return null;
  return {
    name,
    sheet: accent === null ? null : `/brand/${accent.slice(1)}.css`,
    logo:
      logo === null
        ? null
        : { light: logoAddress(logo), dark: logoDark === null ? null : logoAddress(logoDark) },
  };
}

export function logoAddress({ kind, digest }: LogoShown): string {
  return `/brand/${digest}.${kind}`;
}

/** The style sheet at an address, which names the colour. Null where words on it could not be read. */
export function sheetAt(colour: string): string | null {
  return carriesWhiteWords(colour) ? `:root{--brand:${colour};--brand-on:#ffffff}\n` : null;
}
