import { z } from "zod";
import { mailAddressOf } from "../domain/mails.ts";
import { maxIdNumberLength, maxNameLength, maxProductLength } from "./limits.ts";
import { cutTo, showsNothing } from "../kernel/text.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** Names of the LTI claims; no other file spells a claim. */
export const claim = {
  messageType: `${lti}/message_type`,
  version: `${lti}/version`,
  deploymentId: `${lti}/deployment_id`,
  targetLinkUri: `${lti}/target_link_uri`,
  roles: `${lti}/roles`,
  context: `${lti}/context`,
  resourceLink: `${lti}/resource_link`,
  custom: `${lti}/custom`,
  presentation: `${lti}/launch_presentation`,
  forUser: `${lti}/for_user`,
  mentorOf: `${lti}/role_scope_mentor`,
  platform: `${lti}/tool_platform`,
  grades: "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint",
  memberships: "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice",
  groups: "https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice",
  notices: `${lti}/platformnotificationservice`,
  notice: `${lti}/notice`,
  originContexts: `${lti}/origin_contexts`,
  deepLinking: "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings",
  deepLinkingData: "https://purl.imsglobal.org/spec/lti-dl/claim/data",
  contentItems: "https://purl.imsglobal.org/spec/lti-dl/claim/content_items",
  deepLinkingError: "https://purl.imsglobal.org/spec/lti-dl/claim/errormsg",
} as const;

/** Null when missing, null, of another type, or when it shows nothing (Moodle sends "" for unset values). */
export const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" && !showsNothing(value) ? value.toWellFormed() : null));
/** The name of a person or a thing, cut where nobody reads on. */
export const name = text.transform((value) => (value === null ? null : cutTo(value.trim(), maxNameLength)));
/** A person's ID number at their institution, full-width digits as usual ones; null when empty, too long, or with control characters. */
export const idNumber = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "number" ? String(value) : value))
  .pipe(name)
  .transform((value) => {
    const id = value?.normalize("NFKC") ?? "";
    return id === "" || id.length > maxIdNumberLength || /\p{Cc}/u.test(id) ? null : id;
  });
/** Null also for what is no e-mail address, such as a user name: as if it were withheld. */
export const email = text.transform(mailAddressOf);
/**
 * At most 255 characters, compared byte for byte (Core 1.3, 4.3). Control characters and halves of a character are
 * refused: a store may change or cut them, and two people would become one.
 */
const identifier = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => id.isWellFormed() && !/\p{Cc}/u.test(id));
/** Where a number says the same. */
export const identifierOrNumber = z.union([identifier, z.number().transform(String)]);

/** Points, which some LMSs write as text. Coercing would make 0 of a null or an empty text. */
export const points = z.union([z.number(), z.string().regex(/\d/).transform(Number)]).pipe(z.number());
function hasId(given: unknown): boolean {
  return typeof given === "object" && given !== null && "id" in given && given.id !== null && given.id !== "";
}
/** A web address for a server or a form; anything else counts as not given. */
const address = text.transform((value) =>
  value !== null && /^https?:$/.test(URL.parse(value)?.protocol ?? "") ? value : null,
);
/** The texts in a list; anything else in it is left out. */
export const strings = z
  .array(z.unknown())
  .transform((list) => list.filter((entry) => typeof entry === "string"));

const platform = z
  .object({
    product_family_code: text.transform((code) =>
      code === null ? null : cutTo(code.trim(), maxProductLength),
    ),
  })
  .nullish()
  .catch(null);
/** A claim about a thing: none without an id, but an id that is none (a number, too long) is named, not overlooked. */
const withId = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((given) => (hasId(given) ? given : null), z.object({ id: identifier, ...shape }).nullable());
const context = withId({ title: name, label: name });
const resourceLink = withId({ title: name });
const grades = z
  .object({ scope: strings.catch([]), lineitems: address, lineitem: address })
  .nullish()
  .catch(null);
const memberships = z.object({ context_memberships_url: address }).nullish().catch(null);
const groups = z
  .object({ context_groups_url: address, context_group_sets_url: address, scope: strings.catch([]) })
  .nullish()
  .catch(null);
const notices = z
  .object({
    platform_notification_service_url: address,
    notice_types_supported: strings.catch([]),
    scope: strings.catch([]),
  })
  .nullish()
  .catch(null);
const presentation = z
  .object({
    document_target: z.enum(["frame", "iframe", "window"]).nullish().catch(null),
    locale: text,
    return_url: address,
  })
  .nullish()
  .catch(null);
const deepLinking = z.object({
  deep_link_return_url: address,
  accept_types: strings.catch([]),
  accept_presentation_document_targets: strings.catch([]),
  accept_multiple: z.boolean().catch(false),
  accept_lineitem: z.boolean().nullish().catch(null),
  title: text,
  text,
  data: z.string().nullish().catch(null),
});

/** Strict about rights and identity, tolerant about the rest: odd optional claims count as not sent. */
export const launchClaims = z.object({
  iss: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string()).min(1)]),
  azp: z.string().nullish(),
  exp: z.number(),
  iat: z.number(),
  nbf: z.number().optional(),
  nonce: z.string().min(1),
  /** Missing on an anonymous launch (Core 1.3, 5.3.6.1). */
  sub: z.union([identifier, z.literal("")]).nullish(),
  name,
  given_name: name,
  family_name: name,
  email,
  locale: text,
  [claim.messageType]: z.string(),
  [claim.version]: z.literal("1.3.0"),
  [claim.deploymentId]: identifier,
  [claim.targetLinkUri]: z.string().nullish(),
  [claim.roles]: z.array(z.string()),
  [claim.context]: context,
  [claim.resourceLink]: resourceLink,
  [claim.custom]: z.record(z.string(), z.unknown()).nullish().catch(null),
  [claim.presentation]: presentation,
  [claim.forUser]: z.object({ user_id: identifier }).nullish().catch(null),
  [claim.mentorOf]: strings.nullish().catch(null),
  [claim.platform]: platform,
  [claim.grades]: grades,
  [claim.memberships]: memberships,
  [claim.groups]: groups,
  [claim.notices]: notices,
  [claim.deepLinking]: deepLinking.nullish().catch(null),
});

/** Claims of a notice with a verified signature (PNS 1.0): no person, no message type. */
export const noticeClaims = z.object({
  iss: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string()).min(1)]),
  azp: z.string().nullish(),
  exp: z.number(),
  iat: z.number(),
  nonce: z.string().min(1).max(255),
  [claim.version]: z.literal("1.3.0"),
  [claim.deploymentId]: identifier,
  [claim.notice]: z.object({ id: identifier, type: z.string().min(1).max(255) }),
  [claim.context]: context.catch(null),
  [claim.originContexts]: strings.catch([]),
});

/** In the LMS's spelling; used in this folder only. */
export type LaunchClaims = z.infer<typeof launchClaims>;

/** An entry of a list, none where it is not of the shape: one by one, so an odd entry does not hide the others. */
export function known<T>(shape: z.ZodType<T>, entry: unknown): T[] {
  const parsed = shape.safeParse(entry);
  return parsed.success ? [parsed.data] : [];
}
