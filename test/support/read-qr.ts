import reader from "jsqr";

const scale = 3;

/** What a camera app reads from a drawn QR code; null if nothing. @param path Of the SVG: a square of one unit for each dark one. */
export function readQr({ size, path }: { size: number; path: string }): string | null {
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x = "", y = ""] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < scale; row += 1) {
      const from = 4 * ((Number(y) * scale + row) * width + Number(x) * scale);
      for (let column = 0; column < scale; column += 1)
        pixels.fill(0, from + 4 * column, from + 4 * column + 3);
    }
  return reader.default(pixels, width, width)?.data ?? null;
}
