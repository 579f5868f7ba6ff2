import express, { type RequestHandler } from "express";
import { refusal } from "../kernel/refusal.ts";
import { type FormPart, readMultipart } from "./read-multipart.ts";

/**
 * Parses a form that sends files: in `request.body` a field is a text and a file its bytes. A field that was left empty is not there.
 * @param maxBytes Of the whole form. @throws NamedError "files-too-large", "bad-request"
 */
export function postedFiles(maxBytes: number): RequestHandler {
  const read: RequestHandler = express.raw({ type: "multipart/form-data", limit: maxBytes, inflate: false });
  return (request, response, next) => {
    read(request, response, (thrown?: unknown) => {
      const body: unknown = request.body;
      if (isTooLarge(thrown)) next(refusal("files-too-large", { status: 413 }));
      else if (thrown !== undefined || !Buffer.isBuffer(body)) next(thrown);
      else {
        const parts = readMultipart(body, request.get("content-type") ?? "");
        request.body = Object.fromEntries((parts ?? []).map(valueOf));
        next(parts === null ? refusal("bad-request", { status: 400 }) : undefined);
      }
    });
  };
}

function valueOf({ name, isFile, bytes }: FormPart): [string, string | Buffer] {
  return [name, isFile ? bytes : bytes.toString("utf8")];
}

function isTooLarge(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "status" in thrown && thrown.status === 413;
}
