import type { AccountId } from "./account.ts";
import type { PlatformFamily } from "./lms-product.ts";
import { describeRecord, field, index, type ItemOf } from "./record.ts";

/** An LMS that knows this tool: one (issuer, client id). */
export const registrationRecord = describeRecord("Registration", {
  readOnce: true,
  fields: {
    /** `iss`, exactly as the LMS writes it. */
    issuer: field.text,
    clientId: field.text,
    name: field.text,
    family: field.textOf<PlatformFamily>(),
    /** "operator" when an operator set the product, which is then kept. Left out: not set. */
    familyFrom: field.textOf<"operator">().optional,
    /** `product_family_code`, as sent last; left out before. */
    product: field.text.optional,
    authorizationUrl: field.text,
    tokenUrl: field.text,
    jwksUrl: field.text,
    /** `aud` of the client assertion when it is not the token URL (`authorization_server` of the LMS). */
    tokenAudience: field.text.orNull,
    /** Audiences that this LMS's tokens may name besides us; none when left out. */
    trustedAudiences: field.texts.optional,
    /** The classroom account it was made for. */
    environment: field.textOf<AccountId>(),
    /** The account of its new courses, when it is another one. */
    account: field.textOf<AccountId>().optional,
    active: field.flag,
    /** How unknown deployment ids are treated; accepted ones are listed. */
    newDeployments: field.textOf<"accept" | "refuse">(),
    /** The LMS's administrators see this registration, all deployments, in the console: for one institution only. No when left out. */
    administratorsEnter: field.flag.optional,
    /** Steps of the set-up that an administrator has answered by hand; none when left out. */
    setUpMarks: field.json<SetUpMarks>().optional,
    /** What the LMS was told about this tool; left out where it was added by hand. */
    description: field.json<ToolDescribed | null>().optional,
    createdAt: field.number,
  },
  hidden: {
    /** The registration whose records this one continues, after a new registration of the tool. */
    sameAs: field.json<SameAs | null>().optional,
    /** The registration through which the LMS is reached since then. */
    reachedBy: field.textOf<string | null>().optional,
    /** The registration it will continue; it is off until then. */
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
  /** Deployments the LMS has renamed by a new registration of the tool, kept under their old names. */
  renamedDeployments?: readonly RenamedDeployment[];
  /** As it was before a new registration of the tool: its activities still open, and its services are out of reach. */
  isFormer?: true;
};

/** Steps that need nothing to be set. */
export const optionalSteps = ["defaults", "look"] as const;
export type OptionalStep = (typeof optionalSteps)[number];
export type SetUpMarks = Partial<Record<OptionalStep, "done" | "skipped">>;

/** What an LMS supports of registrations, as its configuration says. */
export type LmsOffer = {
  scopes: readonly string[];
  claims: readonly string[];
  /** Empty when it does not say; placements null when it says none for a message. */
  messages: readonly { type: string; placements: readonly string[] | null }[];
};

/** The tool's description in an LMS. */
export type ToolDescribed = {
  /** `registration_client_uri`; null where the LMS takes no changes. */
  uri: string | null;
  /** What the description was fitted to. */
  offer: LmsOffer;
  /** Its lines, as the LMS has them. */
  lines: readonly string[];
  /** When a change was sent that waits for an administrator of the LMS; null for none. */
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
    /** The account of its new courses; left out: as its registration has it. */
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
    /** The account of the LMS that registers by it. */
    environment: field.textOf<AccountId>(),
    /** The institution the invitation is for; the LMS is known by this name. Left out: by the name that the LMS gives itself. */
    institution: field.text.optional,
    /** Whether the LMS's administrators are let in. No when left out. */
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
