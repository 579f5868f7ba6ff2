import type { ManualValues } from "../../../lms/manual-values.ts";
import type { PlatformFamily } from "../../../domain/lms-product.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import type { Translate } from "../../../web/translate.ts";

/** What every page of the console shows, also to people who are not logged in; those have no `formToken`. */
export type PublicFrame = {
  t: Translate;
  /** Of the window. */
  title: string;
  heading: string;
  formToken: string | null;
  /** Whether the reader is an operator; pages leave out for others what only operators may do. */
  operator: boolean;
  /** A time (ms) in UTC. */
  moment: (at: number) => string;
  areas: { path: string; label: string; current: boolean }[];
};

/** What every page shows to people who are logged in. */
export type ConsoleFrame = PublicFrame & FormToken;

/** What every form of the console carries; a page of another site cannot know it. */
export type FormToken = { formToken: string };

/** A time (ms). */
export type MomentShown = Pick<PublicFrame, "moment"> & { at: number };

/** A choice of the classroom's environment; nobody is asked to choose from one. */
export type EnvironmentField = {
  t: Translate;
  environments: readonly EnvironmentName[];
  /** As it was typed. */
  chosen: string;
  problem: string | null;
};

/** A choice of what becomes of new deployments. `name`: of the field. */
export type PolicyChoice = { t: Translate; name: string; chosen: string };

/** What an administrator enters in an LMS. `family`: its product. */
export type ToolValues = { t: Translate; family: PlatformFamily; values: ManualValues };

/** How much is kept, or was erased, by kind. `label`: id of the heading. */
export type HeldTable = { t: Translate; rows: readonly { kind: string; count: string }[]; label: string };

/** A form that erases. `wanted`: what must be typed, as `ask` says. */
export type EraseForm = FormToken & {
  action: string;
  text: string;
  ask: string;
  wanted: string;
  button: string;
};
