import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";

/** `digest` is part of its address. `data` is the file in base64. */
export type Logo = { kind: LogoKind; digest: string; data: string };

export const brandingRecord = describeRecord("InstitutionLook", {
  id: "registrationId",
  fields: {
    /** Grows with every change, so nobody overwrites a change they haven't seen. */
    revision: field.number,
    /** Empty if nothing is shown. */
    name: field.text.or(""),
    /** "#rrggbb". */
    accent: field.text.orNull,
    logo: field.json<Logo>().orNull,
    /** Null: the same as on light pages. */
    logoDark: field.json<Logo>().orNull,
  },
  indexes: [index("logo.digest"), index("logoDark.digest")],
  personalData: {
    key: "institutionLooks",
    holds: "an institution's name, colour and logo; no person",
    stored: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

type LogoName = Omit<Logo, "data">;

/** How the courses of an LMS look, without the files. */
export type Branding = Omit<ItemOf<typeof brandingRecord>, "logo" | "logoDark"> & {
  logo: LogoName | null;
  logoDark: LogoName | null;
};

export function noBranding(registrationId: string): Branding {
  return { registrationId, revision: 0, name: "", accent: null, logo: null, logoDark: null };
}

/** "keep": as it is. Null: no logo. */
type LogoChange = "keep" | Logo | null;

export type BrandingChange = Pick<Branding, "registrationId" | "revision" | "name" | "accent"> & {
  logo: LogoChange;
  logoDark: LogoChange;
};

/** A form: text as typed, files as sent (null for none), and which logos to remove. */
export type TypedBranding = {
  name: string;
  accent: string;
  logo: Uint8Array | null;
  logoDark: Uint8Array | null;
  removes: { logo: boolean; logoDark: boolean };
};

export type BrandingField = "name" | "accent" | "logo" | "logoDark";

/** "light-first": only the logo for dark pages was given. "contrast": white text on the colour can't be read. */
export type BrandingProblem =
  | "not-a-colour"
  | "contrast"
  | "light-first"
  | "name-needed"
  | "name-too-long"
  | LogoProblem;

export type BrandingProblems = Partial<Record<BrandingField, BrandingProblem>>;

export const maxNameCharacters = 100;

/** A file that was found to be a logo. The caller computes its digest. */
type LogoFile = { kind: LogoKind; bytes: Uint8Array };

type ReadBranding = Pick<BrandingChange, "name" | "accent"> &
  Record<"logo" | "logoDark", "keep" | LogoFile | null>;

/** Reads a form, or says what is wrong with it. @param seen What the form was filled from. */
export function readBranding(
  typed: TypedBranding,
  seen: Pick<Branding, "logo" | "logoDark">,
): { read: ReadBranding; problems: null } | { read: null; problems: BrandingProblems } {
  const problems: BrandingProblems = {};
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

function readColour({ accent }: TypedBranding, problems: BrandingProblems): string | null {
  if (accent.trim() === "") return null;
  const colour = colourFrom(accent);
  if (colour === null) problems.accent = "not-a-colour";
  else if (!carriesWhiteWords(colour)) problems.accent = "contrast";
  return colour;
}

function readFile(
  typed: TypedBranding,
  field: "logo" | "logoDark",
  problems: BrandingProblems,
): "keep" | LogoFile | null {
  const bytes = typed[field];
  // A new file takes precedence over the checkbox that removes it.
  if (bytes === null) return typed.removes[field] ? null : "keep";
  const judged = judgeLogo(bytes);
  if (typeof judged === "string") return { kind: judged, bytes };
  problems[field] = judged.problem;
  return null;
}

/** What pages of a course show of their institution. Addresses are below /brand, and their content never changes. */
export type Brand = {
  name: string;
  /** Null: the tool's own colours. */
  sheet: string | null;
  /** `dark`: null if it's the same. */
  logo: { light: string; dark: string | null } | null;
};

/** Null if nothing is set. */
export function brandOf({ name, accent, logo, logoDark }: Branding): Brand | null {
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

export function logoAddress({ kind, digest }: LogoName): string {
  return `/brand/${digest}.${kind}`;
}

/** The style sheet at an address, which names the colour. Null if text on that colour couldn't be read. */
export function sheetAt(colour: string): string | null {
  return carriesWhiteWords(colour) ? `:root{--brand:${colour};--brand-on:#ffffff}\n` : null;
}

/** The main button's colour if an institution sets none, on light pages: --accent of views/assets/style.css. */
export const ownAccent = "#1d5fbf";

/** WCAG 2.2, 1.4.3. */
const minContrast = 4.5;

/** @returns "#rrggbb" in small letters, or null if it isn't a colour. */
export function colourFrom(typed: string): string | null {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** Whether white text on it can be read: WCAG 2.2, "contrast ratio" and "relative luminance". */
export function carriesWhiteWords(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= minContrast;
}

type LogoKind = "png" | "jpg" | "webp";

type LogoProblem = "too-big" | "wrong-type" | "too-many-pixels";

/** A logo is shown 36 px wide, and each browser loads it once. */
export const maxLogoBytes = 64 * 1024;

/** Limits width and height, because a small file may unpack to gigabytes. */
export const maxLogoPixels = 1_024;

/** Recognizes a file by its bytes alone, because neither its name nor the browser's type proves anything. */
export function judgeLogo(bytes: Uint8Array): LogoKind | { problem: LogoProblem } {
  if (bytes.length > maxLogoBytes) return { problem: "too-big" };
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [kind, sizeOf] of [
    ["png", sizeOfPng] as const,
    ["jpg", sizeOfJpeg] as const,
    ["webp", sizeOfWebp] as const,
  ]) {
    const sides = sizeOf(file);
    if (sides === null || sides.includes(0)) continue;
    return sides.some((side) => side > maxLogoPixels) ? { problem: "too-many-pixels" } : kind;
  }
  return { problem: "wrong-type" };
}

/** Width and height, in either order. Null if the file isn't of this kind. */
type Sides = readonly [number, number] | null;

/** The first chunk, "IHDR", has width and height. */
function sizeOfPng(file: Buffer): Sides {
  const begins = file.length >= 24 && file.toString("latin1", 0, 16) === "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
  return begins ? [file.readUInt32BE(16), file.readUInt32BE(20)] : null;
}

/** Segments follow each other, each with its length. The one that starts a frame (C0 to CF, except three) has both. */
function sizeOfJpeg(file: Buffer): Sides {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
  }
  return null;
}

/** The first chunk is of three kinds: lossy, lossless (14 bits each, minus one), extended (24 bits each, minus one). */
function sizeOfWebp(file: Buffer): Sides {
  if (file.length < 30 || file.toString("latin1", 0, 4) !== "RIFF") return null;
  switch (file.toString("latin1", 8, 16)) {
    case "WEBPVP8 ":
      return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff];
    case "WEBPVP8L": {
      const bits = file.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case "WEBPVP8X":
      return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1];
    default:
      return null;
  }
}
