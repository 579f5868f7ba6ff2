import { AsyncLocalStorage } from "node:async_hooks";
import type { KeyObject } from "node:crypto";
import type { LtijsDatabase, LtijsHandler, LtijsRequest } from "ltijs";
import type { Registration } from "../domain/registration.ts";
import { lazily } from "../kernel/async.ts";
import { refusal } from "../kernel/refusal.ts";
import { keysFor } from "../kernel/sealer.ts";
import { cutTo } from "../kernel/text.ts";
import { LaunchRefusal } from "../domain/launch-refusal.ts";
import { launchLifetimeMs } from "./limits.ts";

/** Callbacks for the result of a request to ltijs. */
type Answer = { came: (location: string) => void; failed: (thrown: Error) => void };

/** Names the cookie that ltijs compares. Nobody else sees it. */
const stateName = "checked";

/**
 * ltijs is a separate Express 4 application. It gets requests that we make for it and never a browser's. So it reads no stranger's
 * headers, body or cookies, and we needn't remove any of its headers and claims from an answer.
 */
export function createLtijsEngine({
  secretKey,
  secureCookies,
}: {
  /** ltijs gets a key derived from it. */
  secretKey: string;
  secureCookies: boolean;
}) {
  const scope = new AsyncLocalStorage<LtijsScope>();
  const answers = new WeakMap<object, Answer>();
  // Loaded at the first login, because its packages take a tenth of the tool's start.
  const loaded = lazily(async () => {
    const { Provider } = await import("ltijs");
    const ltijs = new Provider.constructor();
    ltijs.setup(
      // From text, ltijs's library would try to make a private key at each launch.
      keysFor({ secretKey }, "ltijs").current,
      { plugin: createLtijsDatabase(scope) },
      {
        appRoute: "/launch",
        loginRoute: "/login",
        keysetRoute: "/keys",
        cors: false,
        ltiaas: true,
        devMode: false,
        // We check the age by our own state, so ltijs must not be stricter.
        tokenMaxAge: launchLifetimeMs / 1000 + 120,
        cookies: { secure: secureCookies, sameSite: "None" },
      },
    );
    const accepted = (_token: unknown, request: object) => answers.get(request)?.came("");
    const refused: LtijsHandler = (request, response) => {
      const why: unknown = "locals" in response ? response.locals : undefined;
      answers.get(request)?.failed(new LaunchRefusal("token-malformed", { ltijs: ltijsReason(why) }));
    };
    ltijs.onConnect(accepted);
    ltijs.onDeepLinking(accepted);
    ltijs.onInvalidToken(refused);
    ltijs.onSessionTimeout(refused);
    ltijs.onUnregisteredPlatform(refused);
    ltijs.onInactivePlatform(refused);
    // We don't call `deploy()`: in serverless mode it would only add a SIGINT handler that ends the process.
    return ltijs.app;
  });

  const ask = async (known: LtijsScope, request: LtijsRequest): Promise<string> => {
    const app = await loaded();
    return new Promise((came, failed) => {
      answers.set(request, { came, failed });
      const failedAs = (answer: unknown) => {
        failed(answer instanceof Error ? answer : new Error(`ltijs answered ${JSON.stringify(answer)}`));
      };
      const nothing = () => undefined;
      const response = {
        statusCode: 200,
        setHeader: nothing,
        removeHeader: nothing,
        cookie: nothing,
        clearCookie: nothing,
        redirect: came,
        send: failedAs,
        end: failedAs,
      };
      scope.run(known, () => app(request, response, failedAs));
    });
  };
  return {
    /** The LMS's address with ltijs's parameters. @param login The form that ltijs gets. */
    loginLocation: (registration: Registration, login: Record<string, string>) =>
      ask({ registration, key: null }, madeRequest("/login", { body: login, signedCookies: {} })),
    /**
     * ltijs's own check of an id_token, without network or storage.
     * @param key The key that verified the token, so ltijs fetches none.
     * @throws LaunchRefusal "token-malformed" with ltijs's reason
     */
    check: async (registration: Registration, key: KeyObject, idToken: string) => {
      const body = { id_token: idToken, state: stateName };
      const signedCookies = { [`state${stateName}`]: registration.issuer };
      await ask({ registration, key }, madeRequest("/launch", { body, signedCookies }));
    },
  };
}

/** A form as ltijs's own parsers would leave it; they don't touch parsed values. */
function madeRequest(url: string, given: Pick<LtijsRequest, "body" | "signedCookies">): LtijsRequest {
  return { method: "POST", url, headers: {}, query: {}, _body: true, cookies: {}, ...given };
}

/** ltijs's reason, such as "jwt expired": only its fixed texts, never the request that it echoes. */
function ltijsReason(locals: unknown): string {
  const error = typeof locals === "object" && locals !== null && "err" in locals ? locals.err : null;
  const details = typeof error === "object" && error !== null && "details" in error ? error.details : null;
  const message =
    typeof details === "object" && details !== null && "message" in details ? details.message : null;
  return typeof message === "string" ? cutTo(message, 80) : "unknown";
}

/** The request that ltijs works on, so it needs neither our database nor the network. */
type LtijsScope = {
  registration: Registration;
  /** The key that verified the token; null for a login. */
  key: KeyObject | null;
};

/**
 * ltijs's database, which answers from the registration of the current request (record 0002). It stores nothing: it only sees launches
 * whose nonce was just used, and we accept no ltik. Query values must be text, because a request's parameters end up here.
 */
function createLtijsDatabase(scope: AsyncLocalStorage<LtijsScope>): LtijsDatabase {
  const current = (): LtijsScope => {
    const current = scope.getStore();
    if (current === undefined) throw refusal("ltijs-without-request");
    return current;
  };
  return {
    setup: () => Promise.resolve(true),
    Close: () => Promise.resolve(true),
    Get: async (_key, collection, query = {}) => {
      if (!hasTextsOnly(query)) throw refusal("query-not-text", { values: { collection }, status: 400 });
      const { registration, key } = current();
      if (collection === "platform") return platformRow(registration, key, query);
      if (collection === "platformStatus") return [{ id: registration.id, active: registration.active }];
      return Promise.resolve(false);
    },
    Insert: () => Promise.resolve(true),
    Replace: () => Promise.resolve(true),
    Modify: () => Promise.resolve(true),
    Delete: () => Promise.resolve(true),
  };
}

function platformRow(
  registration: Registration,
  key: KeyObject | null,
  asked: Readonly<Record<string, string>>,
): object[] | false {
  if (asked["platformUrl"] !== registration.issuer || asked["clientId"] !== registration.clientId)
    return false;
  return [
    {
      platformName: registration.name,
      platformUrl: registration.issuer,
      clientId: registration.clientId,
      authEndpoint: registration.authorizationUrl,
      accesstokenEndpoint: registration.tokenUrl,
      authorizationServer: registration.tokenAudience ?? registration.tokenUrl,
      kid: registration.id,
      // The key object itself: from a JWK, ltijs would make a PEM and then a key, at every launch.
      authConfig:
        key === null ? { method: "JWK_SET", key: registration.jwksUrl } : { method: "RSA_KEY", key },
    },
  ];
}

function hasTextsOnly(query: object): query is Readonly<Record<string, string>> {
  return Object.values(query).every((value) => typeof value === "string");
}
