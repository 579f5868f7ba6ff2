import { createPublicKey, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import { exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { type LtijsDatabase, Provider } from "ltijs";
import { z } from "zod";
import type { Registration } from "../../src/domain/registration.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { closed, listening } from "../support/stand-ins/local-server.ts";

/** Other receivers of a launch, for comparison; each responds with 204 to one it accepts. */
export type LaunchPeers = {
  url: string;
  /** Takes a form without reading any of it. */
  unread: "/bare";
  /** Checks the signature, issuer, audience and times with jose, and nothing else. */
  jose: "/jose";
  /** ltijs as it comes. */
  ltijs: { url: string; login: "/login"; launch: "/launch" };
  close: () => Promise<void>;
};

/**
 * Starts the peers on their own port. ltijs keeps its records in memory, where its own would be in MongoDB, and has each LMS's key at hand:
 * its best case. As here, it answers the launch itself (`ltiaas`) instead of redirecting again.
 */
export async function startPeers(platforms: readonly Platform[]): Promise<LaunchPeers> {
  const app = express();
  const server = createServer((request, response) => void app(request, response));
  const url = await listening(server);
  const form = express.urlencoded({ extended: false });
  app.post("/bare", form, (_request, response) => void response.status(204).end());

  const keys = new Map(
    await Promise.all(
      platforms.map(async ({ jwk, registration }) => {
        const { issuer, clientId } = registration;
        return [jwk.kid, { issuer, audience: clientId, key: await importJWK(jwk, "RS256") }] as const;
      }),
    ),
  );
  app.post("/jose", form, (request, response) => {
    const { id_token: token } = z.object({ id_token: z.string() }).parse(request.body);
    const verified = jwtVerify(token, ({ kid = "" }) => {
      const found = keys.get(kid);
      if (found === undefined) throw new Error("an unknown key");
      return found.key;
    });
    verified.then(
      () => response.status(204).end(),
      () => response.status(401).end(),
    );
  });

  const ltijs = new Provider.constructor();
  ltijs.setup(
    randomBytes(32).toString("hex"),
    { plugin: recordsInMemory(platforms) },
    {
      appRoute: "/launch",
      loginRoute: "/login",
      keysetRoute: "/keys",
      cors: false,
      ltiaas: true,
      devMode: false,
      tokenMaxAge: 600,
      cookies: { secure: false, sameSite: "Lax" },
      serverAddon: () => undefined,
    },
  );
  ltijs.onConnect((_token, _request, response) => {
    response.statusCode = 204;
    response.end();
  });
  const itsServer = createServer((request, response) => {
    Reflect.apply(ltijs.app, undefined, [request, response]);
  });

  return {
    url,
    unread: "/bare",
    jose: "/jose",
    ltijs: { url: await listening(itsServer), login: "/login", launch: "/launch" },
    close: async () => {
      await closed(itsServer);
      await closed(server);
    },
  };
}

/** What ltijs requests from its database, answered from maps. */
function recordsInMemory(platforms: readonly Platform[]): LtijsDatabase {
  const rows = platforms.map(({ registration, jwk }) => ({
    platformName: registration.name,
    platformUrl: registration.issuer,
    clientId: registration.clientId,
    authEndpoint: registration.authorizationUrl,
    accesstokenEndpoint: registration.tokenUrl,
    authorizationServer: registration.tokenUrl,
    kid: registration.id,
    authConfig: {
      method: "RSA_KEY",
      key: createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" }).toString(),
    },
  }));
  const rowOf = new Map(rows.map((row) => [`${row.platformUrl} ${row.clientId}`, row]));
  const kept = new Map<string, object>();
  const named = z.record(z.string(), z.unknown());
  /** The names ltijs looks records up by. */
  const idOf = (collection: string, record: object): string => {
    const { nonce, state, contextId, iss, user } = named.parse(record);
    return [collection, nonce, state, contextId, iss, user]
      .filter((part) => typeof part === "string")
      .join(" ");
  };
  return {
    setup: () => Promise.resolve(true),
    Close: () => Promise.resolve(true),
    Get: (_key, collection, query = {}) => {
      const { platformUrl, clientId } = named.parse(query);
      if (collection === "platform") {
        const row = rowOf.get(`${String(platformUrl)} ${String(clientId)}`);
        return Promise.resolve(row === undefined ? false : [row]);
      }
      if (collection === "platformStatus") return Promise.resolve([{ active: true }]);
      const found = kept.get(idOf(collection, query));
      return Promise.resolve(found === undefined ? false : [found]);
    },
    Insert: (_key, collection, item) => {
      kept.set(idOf(collection, item), item);
      return Promise.resolve(true);
    },
    Replace: (_key, collection, query, item) => {
      kept.set(idOf(collection, query), item);
      return Promise.resolve(true);
    },
    Modify: () => Promise.resolve(true),
    Delete: (collection, query) => {
      kept.delete(idOf(collection, query));
      return Promise.resolve(true);
    },
  };
}

const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** An LMS that consists of its key and its registration only. */
export type Platform = {
  registration: Registration;
  jwk: JWK & { kid: string };
  privateKey: Parameters<SignJWT["sign"]>[0];
};

/** Platforms for a launch, each with a different RSA key. */
export async function makePlatforms(count: number): Promise<Platform[]> {
  const platforms: Platform[] = [];
  for (let n = 0; n < count; n += 1) {
    const pair = await generateKeyPair("RS256", { extractable: true });
    platforms.push({
      privateKey: pair.privateKey,
      jwk: { ...(await exportJWK(pair.publicKey)), kid: `key-of-${n}`, alg: "RS256", use: "sig" },
      registration: registrationOf({
        id: `reg_${n}`,
        issuer: `https://lms-${n}.test`,
        clientId: `client-${n}`,
        family: "other",
      }),
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
