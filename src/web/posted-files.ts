import express, { type RequestHandler } from "express";
import { parseCsv } from "hucre/csv";
import { refusal } from "../kernel/refusal.ts";
import { isPacked, readSheet, type SheetRead } from "./sheet-file.ts";
import { csvLine } from "./table-file.ts";

/**
 * Parses a form that sends files into `request.body`: texts, and the bytes of files. A file field that was left empty is missing.
 * @param maxBytes The size of the whole form. @throws NamedError "files-too-large", "bad-request"
 */
export function postedFiles(maxBytes: number): RequestHandler {
  const read: RequestHandler = express.raw({ type: "multipart/form-data", limit: maxBytes, inflate: false });
  return (request, response, next) => {
    read(request, response, (thrown?: unknown) => {
      const body: unknown = request.body;
      if (typeof thrown === "object" && thrown !== null && "status" in thrown && thrown.status === 413)
        next(refusal("files-too-large", { status: 413 }));
      else if (thrown !== undefined || !Buffer.isBuffer(body)) next(thrown);
      else {
        const parts = readMultipart(body, request.get("content-type") ?? "");
        request.body = Object.fromEntries((parts ?? []).map(valueOf));
        next(parts === null ? refusal("bad-request", { status: 400 }) : undefined);
      }
    });
  };
}

type PostedTable = { table: string; unread?: Exclude<SheetRead, string[][]> };

/**
 * The fields of a form with a table file. The file's text becomes the field `table`, also for a workbook, which is read only once, here.
 * `unread` says why it couldn't be read. Without a file, the field is as typed. @throws NamedError "bad-request"
 */
export async function readPostedTable(body: Buffer, type: string): Promise<Record<string, unknown>> {
  const parts = readMultipart(body, type);
  if (parts === null) throw refusal("bad-request", { status: 400 });
  const fields = Object.fromEntries(parts.filter(({ isFile }) => !isFile).map(valueOf));
  const file = parts.find(({ isFile, bytes }) => isFile && bytes.length > 0);
  return { ...fields, ...(file === undefined ? {} : await tableIn(file.bytes)) };
}

async function tableIn(bytes: Buffer): Promise<PostedTable> {
  if (!isPacked(bytes)) return textIn(bytes);
  const lines = await readSheet(bytes);
  return typeof lines === "string" ? { table: "", unread: lines } : { table: lines.map(csvLine).join("") };
}

/** Spreadsheets save text as UTF-8, as UTF-16 with a byte order mark ("Unicode text"), or in an old Windows encoding. */
function textIn(bytes: Buffer): PostedTable {
  const decoded = (label: string, fatal = false) => ({
    table: new TextDecoder(label, { fatal }).decode(bytes),
  });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded("utf-16le");
  if (bytes.includes(0)) return { table: "", unread: "unreadable" };
  try {
    return decoded("utf-8", true);
  } catch {
    return decoded("windows-1252");
  }
}

function valueOf({ name, isFile, bytes }: FormPart): [string, string | Buffer] {
  return [name, isFile ? bytes : bytes.toString("utf8")];
}

/** A field of a form that sends files. */
type FormPart = { name: string; isFile: boolean; bytes: Buffer };

const partEnd = "\r\n";
const headEnd = "\r\n\r\n";
const maxParts = 100;

/**
 * The parts of a body as browsers send it (RFC 7578), which never nest. Leaves out file fields without a file.
 * @param type The whole content type, with its boundary. @returns null if it isn't such a body.
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

/** Browsers write a quotation mark in a name as %22. */
function partOf(head: string, bytes: Buffer): FormPart | "no-file" | null {
  const disposition = /^content-disposition:\s*form-data(;.*)$/im.exec(head)?.[1] ?? "";
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  const fileName = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) return null;
  if (fileName === "" && bytes.length === 0) return "no-file";
  return { name, isFile: fileName !== undefined, bytes };
}

/**
 * The cells of a table as spreadsheets save or copy it, separated by commas, semicolons or tabs. Removes an apostrophe that protects a
 * text from being a formula, and empty lines at the end. A cell whose quote is never closed contains the rest.
 * @returns texts, line by line, so a cell has the same place as in the spreadsheet.
 */
export function readTable(text: string): string[][] {
  // Copied cells are separated by tabs, and each name may contain a comma.
  const [first = ""] = text.split(/\r|\n/, 1);
  const parted = first.includes("\t") ? { delimiter: "\t" } : {};
  const rows = parseCsv(text, { ...parted, unescapeFormulae: true });
  const texts = rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell : String(cell ?? ""))));
  const last = texts.findLastIndex((row) => row.some((cell) => cell.trim() !== ""));
  return texts.slice(0, last + 1);
}
