import type { AsyncLocalStorage } from "node:async_hooks";
import type { KeyObject } from "node:crypto";
import type { LtijsDatabase } from "ltijs";
import type { Registration } from "../domain/registration.ts";
import { refusal } from "../kernel/refusal.ts";

/** The request ltijs works on, so that it needs neither our database nor the network. */
export type LtijsScope = {
  registration: Registration;
  /** The key that verified the token; null during a login. */
  key: KeyObject | null;
};

/**
 * ltijs's database, answered from the registration of the current request (record 0002). Nothing is kept: it sees only
 * launches whose nonce was just used up, and no ltik is honoured. Query values must be text: parameters of a request
 * end up here.
 */
export function createLtijsDatabase(scope: AsyncLocalStorage<LtijsScope>): LtijsDatabase {
  const current = (): LtijsScope => {
    const current = scope.getStore();
    if (current === undefined) throw refusal("ltijs-without-request");
    return current;
  };
  return {
    setup: () => Promise.resolve(true),
    Close: () => Promise.resolve(true),
    Get: async (_key, collection, query = {}) => {
      const asked = textValues(collection, query);
      const { registration, key } = current();
      if (collection === "platform") return platformRow(registration, key, asked);
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
      // The key itself: of a JWK ltijs would make a PEM, and a key of that, at every launch.
      authConfig:
        key === null ? { method: "JWK_SET", key: registration.jwksUrl } : { method: "RSA_KEY", key },
    },
  ];
}

function textValues(collection: string, query: object): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== "string") {
      throw refusal("query-not-text", { values: { collection }, status: 400 });
    }
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
