export type LogoKind = "png" | "jpg" | "webp";

export type LogoProblem = "too-big" | "wrong-type" | "too-many-pixels";

/** A logo is shown 36 px wide, and each browser loads it once. */
export const maxLogoBytes = 64 * 1024;

/** Width and height: a small file may unpack to gigabytes. */
export const maxLogoPixels = 1_024;

/** What a file is, by its bytes alone: its name and the type that the browser says are no proof. */
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

/** Width and height, in either order; null for what is no such file. */
type Sides = readonly [number, number] | null;

/** Its first part, "IHDR", has both. */
function sizeOfPng(file: Buffer): Sides {
  const begins = file.length >= 24 && file.toString("latin1", 0, 16) === "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
  return begins ? [file.readUInt32BE(16), file.readUInt32BE(20)] : null;
}

/** Segments follow each other, each with its length; the one that begins a frame (C0 to CF, but for three) has both. */
function sizeOfJpeg(file: Buffer): Sides {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
  }
  return null;
}

/** Three kinds of a first chunk: lossy, lossless (14 bits each, less one), extended (24 bits each, less one). */
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
