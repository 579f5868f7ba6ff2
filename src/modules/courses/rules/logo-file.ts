export type LogoKind = "png" | "svg";

export type LogoProblem = "too-big" | "wrong-type" | "too-many-pixels" | "active";

/** A logo is shown 36 px wide, and each browser loads it once. */
export const maxLogoBytes = 64 * 1024;

/** Of a PNG: a small file may unpack to gigabytes. */
export const maxLogoPixels = 1_024;

const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** What a file is, by its bytes alone: its name and the type that the browser says are no proof. */
export function judgeLogo(bytes: Uint8Array): LogoKind | { problem: LogoProblem } {
  if (bytes.length > maxLogoBytes) return { problem: "too-big" };
  if (pngStart.every((byte, at) => bytes[at] === byte)) return judgePng(bytes);
  const text = textOf(bytes);
  if (text === null || !beginsWithSvg(text)) return { problem: "wrong-type" };
  return isActive(text) ? { problem: "active" } : "svg";
}

/** Its first part, "IHDR", has the width and the height. */
function judgePng(bytes: Uint8Array): LogoKind | { problem: LogoProblem } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || view.getUint32(12) !== 0x49484452) return { problem: "wrong-type" };
  const sides = [view.getUint32(16), view.getUint32(20)];
  if (sides.includes(0)) return { problem: "wrong-type" };
  return sides.some((side) => side > maxLogoPixels) ? { problem: "too-many-pixels" } : "png";
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** After an XML declaration, comments and a document type without definitions of its own. */
function beginsWithSvg(text: string): boolean {
  const start =
    /^\s*(?:<\?xml\s[^?]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE\s+svg[^[>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/;
  return start.test(text) && text.includes("http://www.w3.org/2000/svg");
}

/**
 * What could run or load something. A browser does neither in an image, and `brandRoutes` forbids both; this is the first wall, and
 * refuses rather than repairs.
 */
const active: readonly RegExp[] = [
  /<\s*(?:[\w-]+:)?(?:script|foreignobject|iframe|embed|object|audio|video|handler|listener|link|meta)\b/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /javascript\s*:/i,
  /<!ENTITY|<\?xml-stylesheet/i,
  /@import/i,
  // Within the file, or a picture in it.
  /(?:href|src)\s*=(?!\s*["']\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,]))/i,
  /url\((?!\s*["']?\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,]))/i,
  /<\s*(?:[\w-]+:)?(?:set|animate\w*)\b[^>]*attributeName\s*=\s*["']?\s*(?:xlink:)?href/i,
];

function isActive(text: string): boolean {
  return active.some((sign) => sign.test(text));
}
