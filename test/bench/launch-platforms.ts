import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { Registration } from "../../src/domain/registration.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** An LMS that exists as its key and its registration only. */
export type Platform = {
  registration: Registration;
  jwk: JWK & { kid: string };
  privateKey: Parameters<SignJWT["sign"]>[0];
};

/** So many LMSs, each with an RSA key of its own. */
export async function makePlatforms(count: number): Promise<Platform[]> {
  const platforms: Platform[] = [];
  for (let n = 0; n < count; n += 1) {
    const pair = await generateKeyPair("RS256", { extractable: true });
    const origin = `https://lms-${n}.test`;
    platforms.push({
      privateKey: pair.privateKey,
      jwk: { ...(await exportJWK(pair.publicKey)), kid: `key-of-${n}`, alg: "RS256", use: "sig" },
      registration: {
        id: `reg_${n}`,
        issuer: origin,
        clientId: `client-${n}`,
        name: `LMS ${n}`,
        family: "other",
        authorizationUrl: `${origin}/auth`,
        tokenUrl: `${origin}/token`,
        jwksUrl: `${origin}/jwks`,
        tokenAudience: null,
        environment: "production",
        active: true,
        newDeployments: "accept",
        createdAt: 1,
      },
    });
  }
  return platforms;
}

/** Signs an ordinary learner's launch for each nonce. */
export async function signedTokens(
  { registration, jwk, privateKey }: Platform,
  nonces: readonly string[],
  toolUrl: string,
): Promise<string[]> {
  const now = Math.floor(Date.now() / 1000);
  return Promise.all(
    nonces.map((nonce, n) =>
      new SignJWT({
        iss: registration.issuer,
        aud: registration.clientId,
        sub: `user-${n}`,
        iat: now,
        exp: now + 600,
        nonce,
        name: "Lena Learner",
        [`${lti}/message_type`]: "LtiResourceLinkRequest",
        [`${lti}/version`]: "1.3.0",
        [`${lti}/deployment_id`]: "1",
        [`${lti}/target_link_uri`]: `${toolUrl}/lti/launch`,
        [`${lti}/roles`]: ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        [`${lti}/context`]: { id: "2", label: "BIO101", title: "Biology 101" },
        [`${lti}/resource_link`]: { id: "5", title: "Classroom" },
      })
        .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: jwk.kid })
        .sign(privateKey),
    ),
  );
}
