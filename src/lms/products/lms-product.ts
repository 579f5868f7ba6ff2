import { customParameter } from "../../domain/launch.ts";
import type { LmsCapabilities } from "../../domain/lms-product.ts";
import type { PlainCode } from "../../kernel/refusal.ts";
import type { ToolDescription } from "../registration-request.ts";
import type { LmsReply } from "../requester.ts";
import type { ScoreOutcome, ScoreToSend } from "../scores.ts";

export type SessionDates = { startsAt: number | null; endsAt: number | null };

/** Everything that is specific to one LMS product. No I/O, no state. */
export type LmsProduct = {
  capabilities: LmsCapabilities;
  registration: RegistrationAdapter;
  services: ServiceAdapter;
  columns: ColumnAdapter;
  scores: ScoreAdapter;
  links: LinkAdapter;
};

type RegistrationAdapter = {
  /** The messages to request, with the placements in which each should be offered. */
  messages: readonly ToolMessage[];
  /** The names under which the LMS's configuration may list a placement of `messages`. */
  placementNames: (placement: string) => readonly string[];
  /** A message without one of its placements must not be requested, because the LMS would choose a placement. */
  needsPlacement: boolean;
  /** Extra fields of the tool configuration, beyond the standard. */
  extras: (tool: ToolDescription) => Readonly<Record<string, string>>;
  /** Variables to request with every launch, by the names of `customParameter`. */
  customParameters: Readonly<Record<string, string>>;
  /** The registration endpoint may be on another host than the configuration. */
  endpointOnAnyHost: boolean;
  /** Client assertions use the token address as audience, whatever `authorization_server` says. */
  tokenUrlIsAudience: boolean;
  /** Where administrators can load the configuration from; null if they enter values by hand. */
  configurationUrl: (tool: ToolDescription) => string | null;
  /** The path below `registration_client_uri` where the tool reads and changes its registration; null if it can't. */
  ownConfiguration: string | null;
  /** A sentence that says where to allow a scope. @param scope The scope's full URI. */
  whereToAllow: (scope: string) => string;
  clouds: readonly Cloud[];
};

/** A cloud whose issuer isn't the host of its configuration. */
export type Cloud = {
  issuer: string;
  /** Origins that may speak for the issuer. */
  configurationHosts: readonly string[];
  /** All institutions use one client id and differ only by deployment. */
  sharedClientId: boolean;
};

type ServiceAdapter = {
  /** Page size for reading the roster; undefined leaves it to the LMS. */
  rosterPageSize: string | undefined;
  /** Whether a reply with a status other than 429 asks us to slow down. */
  isThrottle: (reply: LmsReply) => boolean;
  /** The remaining quota in the LMS's unit; null if the reply doesn't say. */
  quotaLeft: (reply: LmsReply) => number | null;
  /** Why the LMS refuses a list or a new column; null if nothing specific is known. */
  explainRefusal: (reply: LmsReply) => PlainCode | null;
};

/** Its gradebook's columns (AGS 2.0 line items). */
type ColumnAdapter = {
  /** Page size for listing columns; undefined leaves it to the LMS. */
  pageSize: string | undefined;
  maxLabelLength: number;
  /** A session's dates for its column. The standard's own dates would close the column to scores. */
  dates: (session: SessionDates) => Readonly<Record<string, string>>;
  /** A column without a link may be invisible, so we attach it to a link if possible. */
  showsTiedOnly: boolean;
};

/** Scores and results (AGS 2.0). */
type ScoreAdapter = {
  body: (standard: Record<string, unknown>, score: ScoreToSend) => Record<string, unknown>;
  /** What the refusal of a score means in this product; null for the standard meaning. */
  outcome: (reply: LmsReply) => ScoreOutcome | null;
  /** Page size for reading all results of a column; undefined leaves it to the LMS. */
  resultsPageSize: string | undefined;
};

type LinkToMake = {
  /** Presentation targets such as "iframe" or "window". */
  targets: readonly string[];
  /** When the session of the link's column ends (ms); null for other links. */
  endsAt: number | null;
};

type LinkAdapter = {
  /**
   * Changes a standard link of a deep linking answer. No adapter uses the standard's own dates: they limit when a link can be opened and
   * work handed in, but people read a session's page afterwards, too.
   */
  contentItem: (item: Record<string, unknown>, link: LinkToMake) => Record<string, unknown>;
  /** The course's page, from a launch's return address; null if that address is the page itself. */
  courseUrl: (returnUrl: URL) => URL | null;
  /** Whether a login's `lti_message_hint` says that it opens a link and not a content dialog; false if it doesn't say. */
  opensLink: (messageHint: string) => boolean;
};

/** A message that the tool accepts, and where the LMS should offer it. */
export type ToolMessage = {
  type: "LtiResourceLinkRequest" | "LtiDeepLinkingRequest" | "LtiSubmissionReviewRequest";
  /** Empty if the LMS decides. */
  placements: readonly string[];
  extras?: Readonly<Record<string, unknown>>;
};

/** For an LMS that knows the standard's placement. */
export const standardMessages: readonly ToolMessage[] = [
  { type: "LtiResourceLinkRequest", placements: [] },
  { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
  { type: "LtiSubmissionReviewRequest", placements: [] },
];

export const commonParameters = {
  [customParameter.contextHistory]: "$Context.id.history",
  [customParameter.timeZone]: "$Person.address.timezone",
};
