import type { ManualValues } from "../../../lms/manual-registration.ts";
import type { PlatformFamily } from "../../../domain/lms-product.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { IconName } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import type { Binding } from "../../accounts/known-accounts.ts";
import type { AccountForm } from "./account-form.ts";

/** On every page. Without a login, `formToken` is null. */
export type PublicFrame = {
  t: Translate;
  title: string;
  heading: string;
  formToken: string | null;
  /** Pages leave out what only operators may do if this is false. */
  operator: boolean;
  /** A person who may change nothing. Their pages' forms are disabled. */
  reader: boolean;
  /** Whether the reader may search. An office sees only one page. */
  searches: boolean;
  /** A time (ms) in UTC, as markup. */
  time: (at: number) => string;
  /** The name of a classroom account. */
  accountName: (id: AccountId) => string;
  /** The navigation. Empty without a login. */
  groups: readonly AreaGroup[];
  /** How many alerts there are, shown in the closed menu of a narrow page. Null for none. */
  alertCount: string | null;
};

/** `label`: null for areas above all groups. */
type AreaGroup = { label: string | null; areas: readonly AreaLink[] };

/** `count`: null if there is none, or it's zero. */
type AreaLink = {
  path: string;
  label: string;
  icon: IconName;
  current: boolean;
  count: { text: string; tone: "none" | "wait" | "bad" } | null;
};

/** The list of areas, which a page has twice, once for each width. */
export type AreaNav = { t: Translate; groups: readonly AreaGroup[] };

export type ConsoleFrame = PublicFrame & FormToken;

/** What a template shows: the frame, and what a function makes. */
export type PageOf<Make extends (...given: never[]) => unknown> = ConsoleFrame & Awaited<ReturnType<Make>>;

/** In every form. A page of another site can't know it. */
export type FormToken = { formToken: string };

/** Only asked if there are several accounts. */
export type EnvironmentField = {
  t: Translate;
  environments: readonly AccountId[];
  accountName: PublicFrame["accountName"];
  chosen: string;
  problem: string | null;
};

/** For new deployments. `name`: the field's. */
export type PolicyChoice = { t: Translate; name: string; chosen: string };

/** What an administrator enters in an LMS. `family`: its product. */
export type ToolValues = { t: Translate; family: PlatformFamily; values: ManualValues };

/** How much is stored or was erased. `label`: id of the heading. */
export type PersonalDataTable = {
  t: Translate;
  rows: readonly { kind: string; count: string }[];
  label: string;
};

/** `expected`: what must be typed, as `ask` says. */
export type EraseForm = FormToken & {
  action: string;
  text: string;
  ask: string;
  expected: string;
  button: string;
};

/** An LMS whose new courses use an account, as a link. */
export type BindingPart = { t: Translate; binding: Binding };

export type AccountFields = { t: Translate } & Pick<AccountForm, "fields">;

/** What to correct in a form, shown on top of it. */
export type AccountWrong = { t: Translate } & Pick<AccountForm, "wrong">;

/** What to set in the classroom. `secret`: null if it isn't shown. */
export type AccountAddresses = { t: Translate; webhookUrl: string; endedUrl: string; secret: string | null };
