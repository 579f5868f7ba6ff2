// Imitates nothing.
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import type { JWK, JWTPayload } from "jose";
import { randomBytes } from "node:crypto";

/** Signs launches and registration tokens. */
export type PlatformKey = {
  /** What the keyset endpoint answers: exactly one 2048-bit RSA key, as Moodle publishes it. */
  jwks: () => { keys: JWK[] };
  sign: (claims: JWTPayload) => Promise<string>;
  /** Times are checked against `now` (ms). @throws otherwise */
  verify: (token: string, now: number) => Promise<JWTPayload>;
};

/** Its `kid` is 20 hexadecimal digits. */
export async function createPlatformKey(): Promise<PlatformKey> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", {
    modulusLength: 2048,
    extractable: true,
  });
  const kid = randomBytes(10).toString("hex");
  const { n, e } = await exportJWK(publicKey);
  if (n === undefined || e === undefined) throw new Error("The platform key is not an RSA key.");
  return {
    jwks: () => ({ keys: [{ kty: "RSA", alg: "RS256", kid, e, n, use: "sig" }] }),
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ typ: "JWT", alg: "RS256", kid }).sign(privateKey),
    verify: async (token, now) =>
      (await jwtVerify(token, publicKey, { algorithms: ["RS256"], currentDate: new Date(now) })).payload,
  };
}
