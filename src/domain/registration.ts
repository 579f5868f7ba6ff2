import type { AccountId } from "./account.ts";
import type { PlatformFamily } from "./lms-product.ts";
import { describeRecord, field, index, type ItemOf } from "./record.ts";

/** An LMS that knows this tool, identified by issuer and client id. */
export const registrationRecord = describeRecord("Registration", {
  readOnce: true,
  fields: {
    /** `iss`, exactly as the LMS writes it. */
    issuer: field.text,
    clientId: field.text,
    name: field.text,
    family: field.textOf<PlatformFamily>(),
    /** "operator" when an operator chose the product, which then stays. Left out otherwise. */
    familyFrom: field.textOf<"operator">().optional,
    /** `product_family_code` as the LMS last sent it; left out before that. */
    product: field.text.optional,
    authorizationUrl: field.text,
    tokenUrl: field.text,
    jwksUrl: field.text,
    /** `aud` of the client assertion if it isn't the token URL (`authorization_server` of the LMS). */
    tokenAudience: field.text.orNull,
    /** Audiences that this LMS's tokens may name besides us; no others when left out. */
    trustedAudiences: field.texts.optional,
    /** The classroom account it was made for. */
    environment: field.textOf<AccountId>(),
    /** The account of its new courses, if it differs from `environment`. */
    account: field.textOf<AccountId>().optional,
    active: field.flag,
    /** What happens to unknown deployment ids: accept, or refuse. */
    newDeployments: field.textOf<"accept" | "refuse">(),
    /** The LMS's administrators may see all of this registration in the console, so it must serve a single institution. False when left out. */
    administratorsEnter: field.flag.optional,
    /** Set-up steps that an administrator has marked as done or skipped; none when left out. */
    setUpMarks: field.json<SetUpMarks>().optional,
    /** The description of this tool that the LMS has; left out if an administrator added the tool by hand. */
    description: field.json<ToolDescribed | null>().optional,
    createdAt: field.number,
  },
  hidden: {
    /** The earlier registration whose records this one continues, after the tool was registered again. */
    sameAs: field.json<SameAs | null>().optional,
    /** The newer registration through which we have reached the LMS since then. */
    reachedBy: field.textOf<string | null>().optional,
    /** The registration that it will continue. It is off until then. */
    becoming: field.json<SameAs | null>().optional,
  },
  indexes: [index.unique("issuer", "clientId")],
  personalData: {
    key: "registrations",
    holds: "an LMS's names and addresses; no person",
    stored: "until it is uninstalled, after all its other records",
  },
});
export type Registration = ItemOf<typeof registrationRecord> & {
  /** Deployments that the LMS renamed when the tool was registered again; we keep their old names. */
  renamedDeployments?: readonly RenamedDeployment[];
  /** The state before the tool was registered again: its activities still open, but its services are out of reach. */
  isFormer?: true;
};

/** Set-up steps that can be done without setting anything. */
export const optionalSteps = ["defaults", "look"] as const;
export type OptionalStep = (typeof optionalSteps)[number];
export type SetUpMarks = Partial<Record<OptionalStep, "done" | "skipped">>;

/** What an LMS supports for registrations, according to its configuration. */
export type LmsOffer = {
  scopes: readonly string[];
  claims: readonly string[];
  /** Empty when it doesn't say. `placements` is null when it names none for a message. */
  messages: readonly { type: string; placements: readonly string[] | null }[];
};

/** The tool's description as an LMS has it. */
export type ToolDescribed = {
  /** `registration_client_uri`; null if the LMS accepts no changes. */
  uri: string | null;
  /** What the LMS supported when the description was made. */
  offer: LmsOffer;
  /** Its lines, as the LMS has them. */
  lines: readonly string[];
  /** When we sent a change that still waits for an LMS administrator; null if none waits. */
  sentAt: number | null;
};

export type SameAs = { registrationId: string; deployments: RenamedDeployment[] };

export type RenamedDeployment = { told: string; kept: string };

export function storedDeployment({ renamedDeployments = [] }: Registration, deploymentId: string): string {
  return renamedDeployments.find((one) => one.told === deploymentId)?.kept ?? deploymentId;
}

export function lmsDeployment({ renamedDeployments = [] }: Registration, stored: string): string {
  return renamedDeployments.find((one) => one.kept === stored)?.told ?? stored;
}

/** An installation of the tool inside an LMS; unique with its registration. */
export const deploymentRecord = describeRecord("Deployment", {
  readOnce: true,
  id: null,
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    status: field.textOf<"accepted" | "refused">(),
    firstSeenAt: field.number,
    /** The account of its new courses; left out: the registration's. */
    account: field.textOf<AccountId>().optional,
  },
  hidden: { decidedAt: field.number.orNull.optional },
  indexes: [index.unique("registrationId", "deploymentId")],
  personalData: {
    key: "deployments",
    holds: "where in an LMS the tool is installed; no person",
    stored: "with the LMS",
  },
});
export type Deployment = ItemOf<typeof deploymentRecord>;

/** A one-time permission to register one LMS by dynamic registration. */
export const invitationRecord = describeRecord("Invitation", {
  fields: {
    /** The account of the LMS that registers with it. */
    environment: field.textOf<AccountId>(),
    /** The institution that is invited; the LMS gets this name. Left out: the name that the LMS gives itself. */
    institution: field.text.optional,
    /** Whether the LMS's administrators may enter the console. False when left out. */
    letsAdministratorsIn: field.flag.optional,
    expiresAt: field.number,
    usedAt: field.number.orNull,
  },
  personalData: {
    key: "invitations",
    holds: "one-time permissions to register an LMS; no person",
    stored: "always",
  },
});
export type Invitation = ItemOf<typeof invitationRecord>;
