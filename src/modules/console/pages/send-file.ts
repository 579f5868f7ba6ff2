import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";

/**
 * Written while it is read, so that a big one needs no memory. What fails before the first piece is thrown, for an
 * error page; what fails later breaks the file off.
 */
export async function sendFile(
  response: Response,
  { name, type }: { name: string; type: string },
  pieces: AsyncGenerator<string> | Generator<string>,
): Promise<void> {
  const first = await pieces.next();
  response.attachment(name);
  response.type(type);
  try {
    await pipeline(Readable.from(all(first, pieces), { objectMode: false }), response);
  } catch (thrown) {
    // Closing the window while a file comes is no error.
    if (!(thrown instanceof Error) || !("code" in thrown) || thrown.code !== "ERR_STREAM_PREMATURE_CLOSE")
      throw thrown;
  }
}

async function* all(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string> | Generator<string>,
) {
  if (first.done !== true) yield first.value;
  yield* rest;
}
