import type { Deployment, Invitation, Registration } from "../../src/domain/registration.ts";
import { NamedError } from "../../src/kernel/errors.ts";
import type {
  AccessTokenPort,
  DeploymentPort,
  InvitationPort,
  LaunchRecord,
  LaunchRecordPort,
  NoncePort,
  RegistrationPort,
  StoredToken,
  ToolKey,
  ToolKeyPort,
} from "../../src/lms/ports.ts";

/** The LMS wall's stores in memory, open for tests to look into and to break. */
export type LmsStores = {
  registrations: RegistrationPort & { all: Registration[] };
  deployments: DeploymentPort & { all: Deployment[] };
  invitations: InvitationPort & { all: Invitation[] };
  launchRecords: LaunchRecordPort & { all: Map<string, LaunchRecord> };
  nonces: NoncePort;
  toolKeys: ToolKeyPort;
  accessTokens: AccessTokenPort & { all: Map<string, StoredToken> };
};

/** Empty stores with the same promises as the real ones: unique keys, single use, compare-and-set. */
export function createLmsStores(): LmsStores {
  const registrations: Registration[] = [];
  const deployments: Deployment[] = [];
  const invitations: Invitation[] = [];
  const records = new Map<string, LaunchRecord>();
  const nonces = new Set<string>();
  const keys: ToolKey[] = [];
  const tokens = new Map<string, StoredToken>();
  const soon = <T>(value: T): Promise<T> => Promise.resolve(value);
  const live = (record: LaunchRecord | undefined, now: number) =>
    record === undefined || record.expiresAt <= now ? null : record;
  return {
    registrations: {
      all: registrations,
      insert: async (registration) => {
        const { issuer, clientId } = registration;
        if (registrations.some((known) => known.issuer === issuer && known.clientId === clientId)) {
          throw new NamedError("registration-exists", "exists");
        }
        await soon(registrations.push(registration));
      },
      find: (id) => soon(registrations.find((known) => known.id === id) ?? null),
      findByClient: (issuer, clientId) =>
        soon(registrations.find((known) => known.issuer === issuer && known.clientId === clientId) ?? null),
      listByIssuer: (issuer) => soon(registrations.filter((known) => known.issuer === issuer)),
      listByClient: (clientId) => soon(registrations.filter((known) => known.clientId === clientId)),
    },
    deployments: {
      all: deployments,
      record: (first) => {
        const known = deployments.find(
          (one) => one.registrationId === first.registrationId && one.deploymentId === first.deploymentId,
        );
        if (known !== undefined) return soon(known);
        deployments.push(first);
        return soon(first);
      },
    },
    invitations: {
      all: invitations,
      take: (id, now) => {
        const found = invitations.find((one) => one.id === id && one.usedAt === null && one.expiresAt > now);
        if (found === undefined) return soon(null);
        found.usedAt = now;
        return soon(found);
      },
      release: async (id, usedAt) => {
        const found = await soon(invitations.find((one) => one.id === id && one.usedAt === usedAt));
        if (found !== undefined) found.usedAt = null;
      },
    },
    launchRecords: {
      all: records,
      insert: async (record) => {
        await soon(records.set(record.state, record));
      },
      find: (state, now) => soon(live(records.get(state), now)),
      consume: (state, now) => {
        const record = records.get(state);
        records.delete(state);
        return soon(live(record, now));
      },
    },
    nonces: {
      use: async (registrationId, nonce) => {
        const key = `${registrationId} ${nonce}`;
        if (nonces.has(key)) throw new NamedError("nonce-used", "used");
        await soon(nonces.add(key));
      },
    },
    toolKeys: {
      insert: async (key) => {
        if (keys.some((k) => k.registrationId === key.registrationId && k.generation === key.generation)) {
          throw new NamedError("tool-key-exists", "exists");
        }
        await soon(keys.push(key));
      },
      listOf: (id) =>
        soon(keys.filter((key) => key.registrationId === id).sort((a, b) => b.generation - a.generation)),
      list: () => soon([...keys]),
      retire: async (kid, retiredAt) => {
        const key = await soon(keys.find((one) => one.kid === kid));
        if (key !== undefined) key.retiredAt = retiredAt;
      },
      reseal: async (kid, from, to) => {
        const key = await soon(keys.find((one) => one.kid === kid && one.sealedPrivateKey === from));
        if (key !== undefined) key.sealedPrivateKey = to;
      },
      remove: async (kid) => {
        const at = keys.findIndex((one) => one.kid === kid);
        if (at >= 0) await soon(keys.splice(at, 1));
      },
    },
    accessTokens: {
      all: tokens,
      find: (id, scopes, now) => {
        const token = tokens.get(`${id} ${scopes}`);
        return soon(token !== undefined && token.expiresAt > now ? token : null);
      },
      save: async (token) => {
        await soon(tokens.set(`${token.registrationId} ${token.scopes}`, token));
      },
      drop: async ({ registrationId, scopes, sealedToken }) => {
        const key = `${registrationId} ${scopes}`;
        if ((await soon(tokens.get(key)))?.sealedToken === sealedToken) tokens.delete(key);
      },
    },
  };
}
