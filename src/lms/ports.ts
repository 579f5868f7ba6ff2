import type { Deployment, Invitation, Registration } from "../domain/registration.ts";

/** What the wall remembers about a browser that was sent to the LMS and has not come back. */
export type LaunchRecord = {
  /** Our `state` parameter; names the record. */
  state: string;
  nonce: string;
  registrationId: string;
  issuer: string;
  clientId: string;
  /** `target_link_uri` of the login request; the signed claim must agree. */
  targetLinkUri: string;
  /** SHA-256 of the value in this browser's state cookie. */
  browserHash: string;
  /** `lti_storage_target` of the login request; null when the LMS offers no storage. */
  storageTarget: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
};

/** One of our signing keys towards one LMS. */
export type ToolKey = {
  kid: string;
  registrationId: string;
  /** 1, 2, 3 ... within the registration. */
  generation: number;
  /** Public JWK as JSON. */
  publicKey: string;
  /** PKCS #8 PEM, sealed. */
  sealedPrivateKey: string;
  /** Published at once, used for signing from here on. */
  notBefore: number;
  /** No longer published from here on; null while in use. */
  retiredAt: number | null;
  createdAt: number;
};

/** An access token of an LMS, sealed. */
export type StoredToken = {
  registrationId: string;
  /** Sorted scopes joined by a space. */
  scopes: string;
  sealedToken: string;
  expiresAt: number;
};

/** Where registrations are kept. */
export type RegistrationPort = {
  /** @throws NamedError "registration-exists"; nothing is ever overwritten. */
  insert: (registration: Registration) => Promise<void>;
  find: (id: string) => Promise<Registration | null>;
  findByClient: (issuer: string, clientId: string) => Promise<Registration | null>;
  listByIssuer: (issuer: string) => Promise<Registration[]>;
  /** Those that have this client id, of whatever issuer. */
  listByClient: (clientId: string) => Promise<Registration[]>;
};

/** Where deployments are kept. */
export type DeploymentPort = {
  /** The known deployment, or `first` written down now. */
  record: (first: Deployment) => Promise<Deployment>;
};

/** Where invitations are kept. */
export type InvitationPort = {
  /** Compare-and-set: null when unknown, expired or used. */
  take: (id: string, now: number) => Promise<Invitation | null>;
  /** Undoes the `take` that happened at `usedAt`. */
  release: (id: string, usedAt: number) => Promise<void>;
};

/** Where launches under way are kept. */
export type LaunchRecordPort = {
  insert: (record: LaunchRecord) => Promise<void>;
  find: (state: string, now: number) => Promise<LaunchRecord | null>;
  /** Atomic: of all concurrent callers exactly one gets the record. */
  consume: (state: string, now: number) => Promise<LaunchRecord | null>;
};

/** Where used nonces are kept. */
export type NoncePort = {
  /** @throws NamedError "nonce-used" */
  use: (registrationId: string, nonce: string, expiresAt: number) => Promise<void>;
};

/** Where our key pairs are kept. */
export type ToolKeyPort = {
  /** @throws NamedError "tool-key-exists" when the generation is taken. */
  insert: (key: ToolKey) => Promise<void>;
  /** Newest generation first. */
  listOf: (registrationId: string) => Promise<ToolKey[]>;
  list: () => Promise<ToolKey[]>;
  retire: (kid: string, retiredAt: number) => Promise<void>;
  /** Puts a newly sealed private half in place of exactly this one. */
  reseal: (kid: string, from: string, to: string) => Promise<void>;
  remove: (kid: string) => Promise<void>;
};

/** Where access tokens are kept. */
export type AccessTokenPort = {
  find: (registrationId: string, scopes: string, now: number) => Promise<StoredToken | null>;
  save: (token: StoredToken) => Promise<void>;
  /** Forgets exactly this token. */
  drop: (token: Omit<StoredToken, "expiresAt">) => Promise<void>;
};
