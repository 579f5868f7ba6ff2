import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { allowFormsTo } from "./security-headers.ts";
import type { CourseFrame } from "./partials.ts";
import type { TemplateLocals, View } from "./view.ts";

/** What a handler of a course's page returns. `sendAnswer` sends it. */
export type Answer =
  | PageAnswer
  | { kind: "json"; value: object | null }
  | FileAnswer
  /** Leads to another site, such as that of a recording. */
  | { kind: "redirect"; address: string };

export type PageAnswer = {
  kind: "page";
  template: string;
  model: object;
  /** Undefined: the response's present status, 200 by default. */
  status: number | undefined;
  formsTo: readonly string[];
};

type Pieces = AsyncGenerator<string | Uint8Array> | Generator<string>;

type FileAnswer = {
  kind: "file";
  name: string;
  type: string;
  /** The whole file, or pieces that are sent while they are made. */
  text: string | Pieces;
};

/** What `coursePages` adds to the model of every page. */
export type FrameValues = Pick<CourseFrame, "t" | "courseName" | "session"> &
  Required<Pick<TemplateLocals, "draftsOf">>;

/** A page's model as a handler returns it, without what every page has. */
type Own<Model> = Omit<Model, keyof FrameValues>;

export function page<Model extends object>(view: View<Model>, model: NoInfer<Own<Model>>): PageAnswer {
  return { kind: "page", template: view.template, model, status: undefined, formsTo: [] };
}

export function json(value: object | null): Answer {
  return { kind: "json", value };
}

export function file(name: string, type: string, text: FileAnswer["text"]): Answer {
  return { kind: "file", name, type, text };
}

export function redirect(address: string): Answer {
  return { kind: "redirect", address };
}

/** @param frame Called for pages only. */
export async function sendAnswer(response: Response, answer: Answer, frame: () => Promise<FrameValues>) {
  switch (answer.kind) {
    case "page":
      if (answer.formsTo.length > 0) allowFormsTo(response, answer.formsTo);
      response
        .status(answer.status ?? response.statusCode)
        .render(answer.template, { ...(await frame()), ...answer.model });
      return;
    case "json":
      response.json(answer.value);
      return;
    case "file":
      if (typeof answer.text === "string")
        response.attachment(answer.name).type(answer.type).send(answer.text);
      else await sendFile(response, answer, answer.text);
      return;
    case "redirect":
      response.redirect(303, answer.address);
  }
}

/**
 * Sends a file while it is read, so a large one needs no memory. An error before the first piece is thrown, for an error page.
 * A later error breaks off the download.
 */
export async function sendFile(
  response: Response,
  { name, type }: { name: string; type: string },
  pieces: Pieces,
): Promise<void> {
  const first = await pieces.next();
  response.attachment(name).type(type);
  try {
    await pipeline(Readable.from(all(first, pieces), { objectMode: false }), response);
  } catch (thrown) {
    // The reader closed the window during the download.
    if (!(thrown instanceof Error) || !("code" in thrown) || thrown.code !== "ERR_STREAM_PREMATURE_CLOSE")
      throw thrown;
  }
}

async function* all(first: IteratorResult<string | Uint8Array, unknown>, rest: Pieces) {
  if (first.done !== true) yield first.value;
  yield* rest;
}
