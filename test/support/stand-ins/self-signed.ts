import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate for loopback and its key, both PEM. */
export type SelfSigned = { key: string; cert: string };

/**
 * Creates a self-signed certificate for `localhost` and 127.0.0.1 (X.509 v3, ECDSA P-256, one day), so that no key is stored in the
 * repository and no program besides Node is needed.
 */
export function makeSelfSigned(): SelfSigned {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid([1, 2, 840, 10045, 4, 3, 2]));
  const name = sequence(tagged(0x31, sequence(oid([2, 5, 4, 3]), tagged(0x0c, Buffer.from("localhost")))));
  const day = 86_400_000;
  const alternatives = sequence(
    tagged(0x82, Buffer.from("localhost")),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const authority = sequence(tagged(0x01, Buffer.from([0xff])));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    pair.publicKey.export({ type: "spki", format: "der" }),
    tagged(
      0xa3,
      sequence(
        sequence(oid([2, 5, 29, 17]), tagged(0x04, alternatives)),
        sequence(oid([2, 5, 29, 19]), tagged(0x04, authority)),
      ),
    ),
  );
  const signature = sign("sha256", body, pair.privateKey);
  const certificate = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${(certificate.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element of DER (X.690): tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function time(at: number): Buffer {
  const text = new Date(at)
    .toISOString()
    .replace(/[-:T]|\.\d+/g, "")
    .slice(2);
  return tagged(0x17, Buffer.from(text));
}

function oid([first = 0, second = 0, ...rest]: number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return tagged(0x06, Buffer.from([first * 40 + second, ...bytes]));
}
