import qrcode from "qrcode-generator";

/** A QR code as one path of an SVG whose squares are one unit wide; `size` includes the white margin that readers need. */
export type QrView = { size: number; path: string };

/** Squares of white on each side, as the standard asks. */
const marginSize = 4;

/** @param text Plain ASCII, such as an address. */
export function qrView(text: string): QrView {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const squares: string[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (!code.isDark(row, column)) continue;
      squares.push(`M${String(column + marginSize)} ${String(row + marginSize)}h1v1h-1z`);
    }
  }
  return { size: count + 2 * marginSize, path: squares.join("") };
}
