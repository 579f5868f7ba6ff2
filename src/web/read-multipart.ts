/** A field of a form that sends files. */
export type FormPart = { name: string; isFile: boolean; bytes: Buffer };

const partEnd = "\r\n";
const headEnd = "\r\n\r\n";
const maxParts = 100;

/**
 * The parts of a body as browsers send it (RFC 7578): one after the other, none within another. Fields without a file are left out.
 * @param type The whole content type, with its boundary. @returns null for what is no such body.
 */
export function readMultipart(body: Buffer, type: string): FormPart[] | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > 70) return null;
  const line = `--${boundary}`;
  if (!body.subarray(0, line.length).equals(Buffer.from(line))) return null;
  const parts: (FormPart | "no-file")[] = [];
  let at = line.length;
  while (body.toString("latin1", at, at + 2) !== "--") {
    const begins = body.indexOf(headEnd, at);
    const ends = body.indexOf(partEnd + line, begins);
    if (!body.subarray(at, at + partEnd.length).equals(Buffer.from(partEnd)) || begins < 0 || ends < 0)
      return null;
    const part = partOf(body.toString("utf8", at, begins), body.subarray(begins + headEnd.length, ends));
    if (part === null) return null;
    if (parts.push(part) > maxParts) return null;
    at = ends + partEnd.length + line.length;
  }
  return parts.filter((part) => part !== "no-file");
}

/** Browsers write a quotation mark within a name as %22. */
function partOf(head: string, bytes: Buffer): FormPart | "no-file" | null {
  const said = /^content-disposition:\s*form-data(;.*)$/im.exec(head)?.[1] ?? "";
  const name = /;\s*name="([^"]*)"/i.exec(said)?.[1];
  const fileName = /;\s*filename="([^"]*)"/i.exec(said)?.[1];
  if (name === undefined) return null;
  if (fileName === "" && bytes.length === 0) return "no-file";
  return { name, isFile: fileName !== undefined, bytes };
}
