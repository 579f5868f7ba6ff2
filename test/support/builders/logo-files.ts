import { crc32, deflateSync } from "node:zlib";

const svgNamespace = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"';

/** @param inside Markup; a disc by default. */
export function svgLogo(inside = '<circle cx="18" cy="18" r="18" fill="#8a1538"/>'): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`<?xml version="1.0"?>\n<svg ${svgNamespace}>${inside}</svg>`);
}

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
