import type { LmsPause } from "../modules/registration/rules/registration.ts";
import type { Deployment, Invitation, Registration } from "../domain/registration.ts";

export type ToolKey = {
  kid: string;
  registrationId: string;
  generation: number;
  /** Public JWK as JSON. */
  publicKey: string;
  /** PKCS #8 PEM, sealed. */
  sealedPrivateKey: string;
  /** Published immediately, but signs only from this moment on (ms). */
  notBefore: number;
  /** No longer published from this moment on (ms); null while in use. */
  retiredAt: number | null;
  createdAt: number;
};

export type StoredToken = { registrationId: string; scopes: string; sealedToken: string; expiresAt: number };

export type RegistrationPort = {
  /** @throws NamedError "registration-exists". Never overwrites anything. */
  insert: (registration: Registration) => Promise<void>;
  find: (id: string) => Promise<Registration | null>;
  findByClient: (issuer: string, clientId: string) => Promise<Registration | null>;
  listByIssuer: (issuer: string) => Promise<Registration[]>;
  /** Registrations with this client id, from any issuer. */
  listByClient: (clientId: string) => Promise<Registration[]>;
};

export type DeploymentPort = {
  find: (registrationId: string, deploymentId: string) => Promise<Deployment | null>;
  /** Returns the stored deployment, or stores `first`. */
  record: (first: Deployment) => Promise<Deployment>;
  listOf: (registrationId: string) => Promise<Deployment[]>;
};

export type InvitationPort = {
  /** Compare-and-set: null if unknown, expired or used. */
  take: (id: string, now: number) => Promise<Invitation | null>;
  /** Undoes the `take` that happened at `usedAt`. */
  release: (id: string, usedAt: number) => Promise<void>;
};

export type NoncePort = {
  /** @throws NamedError "nonce-used" */
  use: (registrationId: string, nonce: string, expiresAt: number) => Promise<void>;
  wasUsed: (registrationId: string, nonce: string) => Promise<boolean>;
};

export type ToolKeyPort = {
  /** @throws NamedError "tool-key-exists" if the generation exists. */
  insert: (key: ToolKey) => Promise<void>;
  /** Newest generation first. */
  listOf: (registrationId: string) => Promise<ToolKey[]>;
  list: () => Promise<ToolKey[]>;
  retire: (kid: string, retiredAt: number) => Promise<void>;
  /** Replaces exactly this sealed private half. */
  reseal: (kid: string, from: string, to: string) => Promise<void>;
  remove: (kid: string) => Promise<void>;
};

export type AccessTokenPort = {
  find: (registrationId: string, scopes: string, now: number) => Promise<StoredToken | null>;
  save: (token: StoredToken) => Promise<void>;
  /** Deletes exactly this token. */
  drop: (token: Omit<StoredToken, "expiresAt">) => Promise<void>;
};

export type LmsPausePort = {
  listOf: (registrationId: string) => Promise<LmsPause[]>;
  /** Compare-and-set on the times of the pause that the caller saw. */
  takeTry: (seen: LmsPause, now: number, until: number) => Promise<boolean>;
  /** Begins a pause, or adds to one that exists; returns the result. */
  begin: (pause: LmsPause) => Promise<{ pause: LmsPause; begins: boolean }>;
  prolong: (
    key: Pick<LmsPause, "registrationId" | "why">,
    change: Pick<LmsPause, "triedAt" | "nextTryAt" | "status" | "error" | "ofScopes">,
  ) => Promise<LmsPause | null>;
  isOfScopes: (key: Pick<LmsPause, "registrationId" | "why">, nextTryAt: number) => Promise<void>;
  /** Only one of several concurrent callers gets the pause. */
  end: (key: Pick<LmsPause, "registrationId" | "why">) => Promise<LmsPause | null>;
  makeDue: (registrationId: string, now: number) => Promise<void>;
};
