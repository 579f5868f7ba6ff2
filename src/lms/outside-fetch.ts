import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress, outsideAddress } from "./outside-address.ts";

/** The part of `dns.lookup` that is used: all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * A `fetch` that reaches the public internet only. The connection goes to the very address that was resolved and
 * judged, so a name that changes its answer gains nothing. Redirects are not followed; bodies are text.
 * @param allowPrivate Development: also plain http, loopback and private addresses.
 */
export function createOutsideFetch(allowPrivate: boolean, resolveName: Resolve = lookup): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = outsideAddress(request.url, allowPrivate, "The LMS's address");
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(url, {
        method: request.method,
        headers: {
          ...Object.fromEntries(request.headers),
          ...(body === null ? {} : { "content-length": String(body.byteLength) }),
        },
        signal: request.signal,
        ...(allowPrivate ? {} : { lookup: publicLookup(resolveName) }),
      });
      sent.once("response", resolve);
      sent.once("error", reject);
      sent.end(body ?? undefined);
    });
    return toResponse(reply);
  };
}

/** Fails when a name has no public address. */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "", 0);
        return;
      }
      const usable = found.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) {
        callback(Object.assign(new Error("not a public address"), { code: "EPRIVATE" }), "", 0);
      } else if (options.all === true) {
        callback(null, usable);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };

function toResponse(reply: IncomingMessage): Response {
  const status = reply.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  if (status === 204 || status === 205 || status === 304) {
    reply.resume();
    return new Response(null, { status, headers });
  }
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of reply) yield Buffer.from(chunk);
  };
  return new Response(ReadableStream.from(chunks()), { status, headers });
}
