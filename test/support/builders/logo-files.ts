import { crc32, deflateSync } from "node:zlib";

/** A white square that browsers show. The checksums of its parts are right. */
export function pngLogo(side = 36): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0, 0, 0, 0], 8); // 8 bits of grey
  const rows = Buffer.alloc((side + 1) * side, 0xff);
  for (let row = 0; row < side; row += 1) rows[row * (side + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [part("IHDR", header), part("IDAT", deflateSync(rows)), part("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...parts]));
}

function part(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const fromBase64 = (data: string) => new Uint8Array(Buffer.from(data, "base64"));

/** Three by two pixels of one colour, each written by an encoder. */
export const tinyLogos = {
  jpeg: fromBase64(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z",
  ),
  lossyWebp: fromBase64("UklGRiwAAABXRUJQVlA4ICAAAABQAQCdASoDAAIAB0CWJaAABAAAAP7paB/6lb9dFEAAAA=="),
  losslessWebp: fromBase64("UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAfQiioWp/+BiOh/AAA="),
  extendedWebp: fromBase64(
    "UklGRk4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAWlpaWlpaAFZQOCAgAAAAUAEAnQEqAwACAAdAliWgAAQAAAD+6Wgf+pW/XRRAAAA=",
  ),
};
