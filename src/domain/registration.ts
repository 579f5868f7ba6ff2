import type { AccountId } from "./account.ts";
import type { PlatformFamily } from "./lms-product.ts";
import { describeRecord, flag, type ItemOf, json, number, text, textOf, texts, unique } from "./record.ts";

/** An LMS that knows this tool: one (issuer, client id). */
export const registrationRecord = describeRecord("Registration", {
  fields: {
    /** `iss`, exactly as the LMS writes it. */
    issuer: text,
    clientId: text,
    name: text,
    family: textOf<PlatformFamily>(),
    /** "operator" when an operator set the product, which is then kept. Left out: not set. */
    familyFrom: textOf<"operator">().optional,
    /** `product_family_code`, as sent last; left out before. */
    product: text.optional,
    authorizationUrl: text,
    tokenUrl: text,
    jwksUrl: text,
    /** `aud` of the client assertion when it is not the token URL (`authorization_server` of the LMS). */
    tokenAudience: text.orNull,
    /** Audiences that this LMS's tokens may name beside us; none when left out. */
    trustedAudiences: texts.optional,
    /** The classroom account it was made for. */
    environment: textOf<AccountId>(),
    /** The account of its new courses, when it is another one. */
    account: textOf<AccountId>().optional,
    active: flag,
    /** How unknown deployment ids are treated; accepted ones are listed. */
    newDeployments: textOf<"accept" | "refuse">(),
    /** The LMS's administrators see this registration, all deployments, in the console: for one institution only. No when left out. */
    administratorsEnter: flag.optional,
    /** Steps of the set-up that an administrator has answered by hand; none when left out. */
    setUpMarks: json<SetUpMarks>().optional,
    createdAt: number,
  },
  hidden: {
    /** The registration whose records this one continues, after a new registration of the tool. */
    sameAs: json<SameAs | null>().optional,
    /** The registration through which the LMS is reached since then. */
    reachedBy: textOf<string | null>().optional,
    /** The registration it will continue; it is off meanwhile. */
    becoming: json<SameAs | null>().optional,
  },
  indexes: [unique("issuer", "clientId")],
  held: {
    key: "registrations",
    holds: "names and addresses of an LMS; no person",
    kept: "until it is uninstalled, as the last of its records",
  },
});
export type Registration = ItemOf<typeof registrationRecord> & {
  /** Deployments the LMS has renamed by a new registration of the tool, kept under their old names. */
  renamedDeployments?: readonly RenamedDeployment[];
};

/** Steps that need nothing to be set. */
export const optionalSteps = ["defaults", "look"] as const;
export type OptionalStep = (typeof optionalSteps)[number];
export type SetUpMarks = Partial<Record<OptionalStep, "done" | "skipped">>;

export type SameAs = { registrationId: string; deployments: RenamedDeployment[] };

export type RenamedDeployment = { told: string; kept: string };

export function keptDeployment({ renamedDeployments = [] }: Registration, deploymentId: string): string {
  return renamedDeployments.find((one) => one.told === deploymentId)?.kept ?? deploymentId;
}

export function lmsDeployment({ renamedDeployments = [] }: Registration, kept: string): string {
  return renamedDeployments.find((one) => one.kept === kept)?.told ?? kept;
}

/** An installation of the tool inside an LMS; unique with its registration. */
export const deploymentRecord = describeRecord("Deployment", {
  id: null,
  fields: {
    registrationId: text,
    deploymentId: text,
    status: textOf<"accepted" | "refused">(),
    firstSeenAt: number,
    /** The account of its new courses; left out: as its registration has it. */
    account: textOf<AccountId>().optional,
  },
  hidden: { decidedAt: number.orNull.optional },
  indexes: [unique("registrationId", "deploymentId")],
  held: {
    key: "deployments",
    holds: "where in an LMS the tool was installed; no person",
    kept: "with the LMS",
  },
});
export type Deployment = ItemOf<typeof deploymentRecord>;

/** A one-time permission to register one LMS by dynamic registration. */
export const invitationRecord = describeRecord("Invitation", {
  fields: {
    /** The account of the LMS that registers by it. */
    environment: textOf<AccountId>(),
    /** Whose LMS it is for; the LMS is known by this name. Left out: as the LMS calls itself. */
    institution: text.optional,
    /** Whether the LMS's administrators are let in. No when left out. */
    letsAdministratorsIn: flag.optional,
    /** Milliseconds. */
    expiresAt: number,
    usedAt: number.orNull,
  },
  held: { key: "invitations", holds: "one-time permissions to register an LMS; no person", kept: "always" },
});
export type Invitation = ItemOf<typeof invitationRecord>;
