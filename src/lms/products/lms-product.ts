import type { LmsCapabilities } from "../../domain/lms-product.ts";
import type { PlainCode } from "../../kernel/refusal.ts";
import type { LmsReply } from "../requester.ts";
import type { ScoreOutcome, ScoreToSend } from "../score-outcome.ts";
import type { ToolDescription } from "../tool-description.ts";
import type { WantedMessage } from "../wanted-message.ts";

/** When a session is (ms); null when nobody knows. */
export type SessionDates = { startsAt: number | null; endsAt: number | null };

/** Why a service refuses: a code for messages, and its sentence. */
export type ExplainedRefusal = { code: PlainCode; reason: string };

/** An adapter: all that is particular to one LMS product. It does no I/O and keeps nothing. */
export type LmsProduct = {
  /** What everything above `lms` may ask. */
  capabilities: LmsCapabilities;
  registration: RegistrationAdapter;
  services: ServiceAdapter;
  columns: ColumnAdapter;
  scores: ScoreAdapter;
  links: LinkAdapter;
};

/** How the tool is registered with it. */
export type RegistrationAdapter = {
  /** The messages to ask for, each with the placements where it should be offered. */
  messages: readonly WantedMessage[];
  /** The names by which its configuration may list a placement of `messages`. */
  placementNames: (wanted: string) => readonly string[];
  /** Whether a message without one of its placements must not be asked for: the LMS would choose one itself. */
  needsPlacement: boolean;
  /** Members of the tool configuration beyond the standard's. */
  extras: (tool: ToolDescription) => Readonly<Record<string, string>>;
  /** Variables whose values are wanted with every launch, by the names of `customParameter`. */
  customParameters: Readonly<Record<string, string>>;
  /** Whether the registration endpoint may lie on another host than the configuration. */
  endpointOnAnyHost: boolean;
  /** Whether the token address is the audience of client assertions whatever `authorization_server` says. */
  tokenUrlIsAudience: boolean;
  /** An address from which its administrators can load the whole configuration; null where they enter values. */
  configurationUrl: (tool: ToolDescription) => string | null;
  /** Where an administrator allows a service, as one sentence. @param scope Its full URI. */
  whereToAllow: (scope: string) => string;
  clouds: readonly Cloud[];
};

/** A cloud whose issuer is not the host that its configuration is read from. */
export type Cloud = {
  issuer: string;
  /** Origins that may speak for the issuer. */
  configurationHosts: readonly string[];
  /** All institutions come with one client id: which one it is tells the deployment alone. */
  sharedClientId: boolean;
};

/** How its services answer. */
export type ServiceAdapter = {
  /** Whether a reply with another status than 429 asks to slow down. */
  isThrottle: (reply: LmsReply) => boolean;
  /** How much of its quota is left, in its own unit; null where the reply does not say. */
  quotaLeft: (reply: LmsReply) => number | null;
  /** Why it refuses a list or a new column; null when its reply says nothing particular. */
  explainRefusal: (reply: LmsReply) => ExplainedRefusal | null;
};

/** Its gradebook's columns (AGS 2.0 line items). */
export type ColumnAdapter = {
  /** Page size asked for when columns are listed; undefined takes what the LMS gives. */
  pageSize: string | undefined;
  /** Characters of a label that it takes. */
  longestLabel: number;
  /** What is said of a session's dates with its column. The standard's own would close the column to scores. */
  dates: (session: SessionDates) => Readonly<Record<string, string>>;
  /** Whether a column that stands alone may be one that nobody sees, so that it is better tied to a link. */
  showsTiedOnly: boolean;
};

/** Scores and results (AGS 2.0). */
export type ScoreAdapter = {
  /** Changes a standard score before it is sent. */
  body: (standard: Record<string, unknown>, score: ScoreToSend) => Record<string, unknown>;
  /** What a refusal of a score means here; null when it means what the standard says. */
  outcome: (reply: LmsReply) => ScoreOutcome | null;
  /** Page size asked for when all results of a column are read; undefined takes what the LMS gives. */
  resultsPageSize: string | undefined;
};

/** Links to the tool, and the way back. */
export type LinkAdapter = {
  /**
   * Changes a standard link of a deep linking answer before it is signed.
   * @param targets What the dialog accepts: "iframe", "window" ...
   */
  contentItem: (item: Record<string, unknown>, targets: readonly string[]) => Record<string, unknown>;
  /** The course's page, from the address to which a launch may return; null where that is the page itself. */
  courseUrl: (returnUrl: URL) => URL | null;
};
