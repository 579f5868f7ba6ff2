import type { LmsPause } from "../../../src/modules/registration/rules/registration.ts";
import type { Deployment, Invitation, Registration } from "../../../src/domain/registration.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import type {
  AccessTokenPort,
  DeploymentPort,
  InvitationPort,
  LmsPausePort,
  NoncePort,
  RegistrationPort,
  StoredToken,
  ToolKey,
  ToolKeyPort,
} from "../../../src/lms/ports.ts";

/** The LMS wall's stores in memory, which tests can inspect and break. */
export type LmsStores = {
  registrations: RegistrationPort & { all: Registration[] };
  deployments: DeploymentPort & { all: Deployment[] };
  invitations: InvitationPort & { all: Invitation[] };
  nonces: NoncePort & { all: Map<string, number> };
  toolKeys: ToolKeyPort;
  accessTokens: AccessTokenPort & { all: Map<string, StoredToken> };
  lmsPauses: LmsPausePort & { all: Map<string, LmsPause> };
};

/** Empty stores with the same guarantees as the real ones: unique keys, single use, compare-and-set. */
export function createLmsStores(): LmsStores {
  const registrations: Registration[] = [];
  const deployments: Deployment[] = [];
  const invitations: Invitation[] = [];
  const nonces = new Map<string, number>();
  const keys: ToolKey[] = [];
  const tokens = new Map<string, StoredToken>();
  const pauses = new Map<string, LmsPause>();
  const pauseKey = ({ registrationId, why }: Pick<LmsPause, "registrationId" | "why">) =>
    `${registrationId} ${why}`;
  const changePause = (key: string, change: (pause: LmsPause) => LmsPause): LmsPause | null => {
    const pause = pauses.get(key);
    if (pause === undefined) return null;
    pauses.set(key, change(pause));
    return pauses.get(key) ?? null;
  };
  const soon = <T>(value: T): Promise<T> => Promise.resolve(value);
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
      listOf: (registrationId) =>
        soon(deployments.filter((known) => known.registrationId === registrationId)),
      find: (registrationId, deploymentId) =>
        soon(
          deployments.find(
            (one) => one.registrationId === registrationId && one.deploymentId === deploymentId,
          ) ?? null,
        ),
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
    nonces: {
      all: nonces,
      use: async (registrationId, nonce, expiresAt) => {
        const key = `${registrationId} ${nonce}`;
        if (nonces.has(key)) throw new NamedError("nonce-used", "used");
        await soon(nonces.set(key, expiresAt));
      },
      wasUsed: (registrationId, nonce) => soon(nonces.has(`${registrationId} ${nonce}`)),
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
    lmsPauses: {
      all: pauses,
      listOf: (id) => soon([...pauses.values()].filter((pause) => pause.registrationId === id)),
      takeTry: (seen, now, until) => {
        const pause = pauses.get(pauseKey(seen));
        if (pause?.triedAt !== seen.triedAt || pause.nextTryAt !== seen.nextTryAt) return soon(false);
        changePause(pauseKey(seen), (one) => ({ ...one, triedAt: now, nextTryAt: until }));
        return soon(true);
      },
      begin: (first) => {
        const key = pauseKey(first);
        const known = changePause(key, (one) => ({
          ...one,
          ...(first.ofScopes ? {} : { ofScopes: false, status: first.status, error: first.error }),
          grades: one.grades || first.grades,
          refused: [...new Set([...one.refused, ...first.refused])],
        }));
        if (known === null) pauses.set(key, first);
        return soon({ pause: known ?? first, begins: known === null });
      },
      prolong: (key, change) =>
        soon(changePause(pauseKey(key), (one) => ({ ...one, ...change, tries: one.tries + 1 }))),
      isOfScopes: async (key, nextTryAt) => {
        await soon(
          changePause(pauseKey(key), (one) => ({
            ...one,
            ofScopes: true,
            nextTryAt: Math.min(one.nextTryAt, nextTryAt),
          })),
        );
      },
      end: (key) => {
        const pause = pauses.get(pauseKey(key)) ?? null;
        pauses.delete(pauseKey(key));
        return soon(pause);
      },
      makeDue: async (id, now) => {
        for (const why of ["refused", "closed"] as const)
          changePause(pauseKey({ registrationId: id, why }), (one) => ({
            ...one,
            nextTryAt: Math.min(one.nextTryAt, now),
          }));
        await soon(undefined);
      },
    },
  };
}
