import { z } from "zod";
import { mailAddressOf } from "../domain/mails.ts";
import { maxIdNumberLength, maxNameLength, maxProductLength } from "./limits.ts";
import { cutTo, showsNothing } from "../kernel/text.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** Names of the LTI claims. No other file spells out a claim. */
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

/** Null if the value is missing, isn't text, or shows nothing (Moodle sends "" for unset values). */
export const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" && !showsNothing(value) ? value.toWellFormed() : null));
/** The name of a person or a thing, cut at a length that nobody reads. */
export const name = text.transform((value) => (value === null ? null : cutTo(value.trim(), maxNameLength)));
/** A person's ID number at their institution, with normal digits. Null if it is empty, too long, or has control characters. */
export const idNumber = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "number" ? String(value) : value))
  .pipe(name)
  .transform((value) => {
    const id = value?.normalize("NFKC") ?? "";
    return id === "" || id.length > maxIdNumberLength || /\p{Cc}/u.test(id) ? null : id;
  });
/** Null also for text that isn't an e-mail address, such as a user name, as if the LMS withheld it. */
export const email = text.transform(mailAddressOf);
/**
 * At most 255 characters, compared byte for byte (Core 1.3, 4.3). We refuse control characters and halves of a character, because a
 * store may change or cut them, and two people would become one.
 */
const identifier = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => id.isWellFormed() && !/\p{Cc}/u.test(id));
/** An id that some LMSs send as a number. */
export const identifierOrNumber = z.union([identifier, z.number().transform(String)]);

/** Points, which some LMSs send as text. Coercion would turn null and "" into 0. */
export const points = z.union([z.number(), z.string().regex(/\d/).transform(Number)]).pipe(z.number());
function hasId(given: unknown): boolean {
  return typeof given === "object" && given !== null && "id" in given && given.id !== null && given.id !== "";
}
/** The address of a server or for a form. Anything but a web address counts as missing. */
const address = text.transform((value) =>
  value !== null && /^https?:$/.test(URL.parse(value)?.protocol ?? "") ? value : null,
);
/** The texts in a list; other entries are dropped. */
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
/** A claim about a thing. Without an id it counts as missing, but an invalid id (a number, too long) is an error. */
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

/** Strict about rights and identity, tolerant about the rest: an optional claim in an odd form counts as missing. */
export const launchClaims = z.object({
  iss: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string()).min(1)]),
  azp: z.string().nullish(),
  exp: z.number(),
  iat: z.number(),
  nbf: z.number().optional(),
  nonce: z.string().min(1),
  /** Missing in an anonymous launch (Core 1.3, 5.3.6.1). */
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

/** Claims of a notice whose signature is verified (PNS 1.0). There is no person and no message type. */
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

/** Claims in the LMS's spelling; only this folder uses them. */
export type LaunchClaims = z.infer<typeof launchClaims>;

/** An entry of a list, or [] if it doesn't fit the schema. Parsing one by one keeps an odd entry from hiding the others. */
export function known<T>(shape: z.ZodType<T>, entry: unknown): T[] {
  const parsed = shape.safeParse(entry);
  return parsed.success ? [parsed.data] : [];
}
