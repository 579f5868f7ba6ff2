import { customParameter } from "../../domain/launch.ts";
import type { LmsCapabilities } from "../../domain/lms-product.ts";
import type { PlainCode } from "../../kernel/refusal.ts";
import type { ToolDescription } from "../registration-request.ts";
import type { LmsReply } from "../requester.ts";
import type { ScoreOutcome, ScoreToSend } from "../scores.ts";

export type SessionDates = { startsAt: number | null; endsAt: number | null };

/** All that is particular to one LMS product; no I/O, no state. */
export type LmsProduct = {
  capabilities: LmsCapabilities;
  registration: RegistrationAdapter;
  services: ServiceAdapter;
  columns: ColumnAdapter;
  scores: ScoreAdapter;
  links: LinkAdapter;
};

type RegistrationAdapter = {
  /** The messages to ask for, with the placements where each should be offered. */
  messages: readonly ToolMessage[];
  /** Names by which its configuration may list a placement of `messages`. */
  placementNames: (placement: string) => readonly string[];
  /** A message without one of its placements must not be asked for: the LMS would choose one itself. */
  needsPlacement: boolean;
  /** Members of the tool configuration beyond the standard's. */
  extras: (tool: ToolDescription) => Readonly<Record<string, string>>;
  /** Variables wanted with every launch, by the names of `customParameter`. */
  customParameters: Readonly<Record<string, string>>;
  /** The registration endpoint may be on another host than the configuration. */
  endpointOnAnyHost: boolean;
  /** The token address is the audience of client assertions whatever `authorization_server` says. */
  tokenUrlIsAudience: boolean;
  /** From where its administrators can load the configuration; null where they enter values. */
  configurationUrl: (tool: ToolDescription) => string | null;
  /** Where the tool reads and changes its own registration, below `registration_client_uri`; null where it cannot. */
  ownConfiguration: string | null;
  /** One sentence. @param scope Its full URI. */
  whereToAllow: (scope: string) => string;
  clouds: readonly Cloud[];
};

/** A cloud whose issuer is not the host of its configuration. */
export type Cloud = {
  issuer: string;
  /** Origins that may speak for the issuer. */
  configurationHosts: readonly string[];
  /** All institutions have one client id and differ only by deployment. */
  sharedClientId: boolean;
};

type ServiceAdapter = {
  /** For reading the list of people; undefined takes what the LMS gives. */
  rosterPageSize: string | undefined;
  /** Whether a reply with another status than 429 asks to slow down. */
  isThrottle: (reply: LmsReply) => boolean;
  /** The quota left, in its own unit; null when the reply does not say. */
  quotaLeft: (reply: LmsReply) => number | null;
  /** Why it refuses a list or a new column; null for nothing particular. */
  explainRefusal: (reply: LmsReply) => PlainCode | null;
};

/** Its gradebook's columns (AGS 2.0 line items). */
type ColumnAdapter = {
  /** For listing columns; undefined takes what the LMS gives. */
  pageSize: string | undefined;
  maxLabelLength: number;
  /** A session's dates in its column. The standard's own would close the column to scores. */
  dates: (session: SessionDates) => Readonly<Record<string, string>>;
  /** A column without a link may be invisible, so it is better tied to a link. */
  showsTiedOnly: boolean;
};

/** Scores and results (AGS 2.0). */
type ScoreAdapter = {
  body: (standard: Record<string, unknown>, score: ScoreToSend) => Record<string, unknown>;
  /** What a refusal of a score means here; null for the standard's meaning. */
  outcome: (reply: LmsReply) => ScoreOutcome | null;
  /** For reading all results of a column; undefined takes what the LMS gives. */
  resultsPageSize: string | undefined;
};

type LinkToMake = {
  /** "iframe", "window" ... */
  targets: readonly string[];
  /** When the session of its column ends (ms); null for other links. */
  endsAt: number | null;
};

type LinkAdapter = {
  /**
   * Changes a standard link of a deep linking answer. The standard's own dates are in none of them: they say from when to when a link
   * can be opened and handed in, and one to a session is read afterwards, too.
   */
  contentItem: (item: Record<string, unknown>, link: LinkToMake) => Record<string, unknown>;
  /** The course's page, from a launch's return address; null where that is the page itself. */
  courseUrl: (returnUrl: URL) => URL | null;
  /** Whether a login's `lti_message_hint` says that it opens a link, and chooses no content; false where it does not say. */
  opensLink: (messageHint: string) => boolean;
};

/** A message the tool takes, and where the LMS should offer it. */
export type ToolMessage = {
  type: "LtiResourceLinkRequest" | "LtiDeepLinkingRequest" | "LtiSubmissionReviewRequest";
  /** Empty where the LMS decides. */
  placements: readonly string[];
  extras?: Readonly<Record<string, unknown>>;
};

/** Where an LMS knows the standard's placement. */
export const standardMessages: readonly ToolMessage[] = [
  { type: "LtiResourceLinkRequest", placements: [] },
  { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
  { type: "LtiSubmissionReviewRequest", placements: [] },
];

export const commonParameters = {
  [customParameter.contextHistory]: "$Context.id.history",
  [customParameter.timeZone]: "$Person.address.timezone",
};
