import type { AccountExamined, SetUp } from "../../operations/set-up.ts";
import type { DoctorFinding, SetUpStep, StepState } from "../../operations/rules/set-up.ts";
import type { OwnAccount } from "../../accounts/known-accounts.ts";
import type { OptionalStep, SetUpMarks } from "../../../domain/registration.ts";
import type { ListedDeployment } from "../../registration/store/registration-store.ts";
import type { KeysUnder } from "../../../web/english.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { AccountForm } from "./account-form.ts";
import type { AccountAddresses, ConsoleFrame, PublicFrame } from "./partials.ts";

/** A step as its heading shows it. */
type StepShown = {
  step: SetUpStep;
  number: number;
  state: StepState;
  tone: Tone;
  stateText: string;
  open: boolean;
};

/** `base`: the page's address, below which its forms are sent. */
export type SetUpPage = ConsoleFrame & {
  base: string;
  id: string;
  steps: readonly StepShown[];
  done: number;
  progress: string;
  note: SetUpNote | null;
  own: OwnAccount | null;
  connection: AccountForm;
  lastWebhookAt: number | null;
  examined: AccountExamined | null;
  lastLaunchAt: number | null;
  /** The LMS's, typed before all of it is erased. */
  name: string;
  deployments: readonly ListedDeployment[];
  marks: SetUpMarks;
} & Omit<AccountAddresses, "t" | "secret">;

/** A part of the page: what it shows is the page's. */
export type SetUpStepPart = SetUpPage & { state: StepState };

/** A step that needs nothing to be set. */
export type OptionalStepPart = Pick<SetUpPage, "t" | "base" | "formToken"> & {
  step: OptionalStep;
  state: StepState;
  /** Answered by hand. */
  marked: boolean;
};

export type FindingsPart = Pick<SetUpPage, "t"> & { findings: readonly DoctorFinding[] };

/** A new webhook secret of an institution's own account, shown once. */
export type SetUpSecretPage = ConsoleFrame & Omit<AccountAddresses, "t"> & { base: string };

/** Asked before an institution's own account is paused or resumed. */
export type SetUpPausePage = ConsoleFrame & { base: string; paused: boolean };

/** Of an LMS that is no more. */
export type SetUpRemovedPage = PublicFrame;

export const setUpRemovedPage = defineView<SetUpRemovedPage>("admin/set-up-removed");
export const setUpPage = defineView<SetUpPage>("admin/set-up");
export const setUpSecretPage = defineView<SetUpSecretPage>("admin/set-up-secret");
export const setUpPausePage = defineView<SetUpPausePage>("admin/set-up-pause");

/** A message under `institution.setUp.notes`. `at`: the step that is opened with it; `heldUp`: it is no success. */
export type SetUpNote = { note: KeysUnder<"institution.setUp.notes">; at?: SetUpStep; heldUp?: true };

/** Shown once. */
export const setUpNotes: readonly SetUpNote[] = [
  { note: "connection" },
  { note: "connected" },
  { note: "unsure", at: "webhooks", heldUp: true },
  { note: "byHand", at: "webhooks", heldUp: true },
  { note: "notSet", at: "webhooks", heldUp: true },
  { note: "ended" },
  { note: "asked", at: "doctor" },
  { note: "underWay", at: "doctor", heldUp: true },
  { note: "accepted" },
  { note: "marked" },
  { note: "paused" },
  { note: "resumed" },
];

const tones = { done: "good", skipped: "free", todo: "none", wrong: "bad", running: "info" } as const;

/** @param opened The step that is dealt with; left out: the first that is not done. */
export function stepsShown(
  t: Translate,
  steps: SetUp["steps"],
  opened: SetUpStep | undefined,
): readonly StepShown[] {
  const first = steps.find(({ state }) => state !== "done" && state !== "skipped")?.step;
  return steps.map(({ step, state }, index) => ({
    ...{ step, state, number: index + 1, tone: tones[state] },
    stateText: t(`institution.setUp.states.${state}`),
    open: step === (opened ?? first),
  }));
}
