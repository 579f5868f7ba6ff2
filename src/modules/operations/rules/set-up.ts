import type { SetUpMarks } from "../../../domain/registration.ts";

/** What an institution does until its courses work, in order. */
export type SetUpStep = "connection" | "webhooks" | "doctor" | "launch" | "deployments" | "defaults" | "look";

/** `wrong`: it was tried, and something needs fixing. */
export type StepState = "done" | "skipped" | "todo" | "wrong" | "running";

export type SetUpFacts = {
  /** Null if other LMSs use the classroom account, too. Then the operator looks after it. */
  account: {
    complete: boolean;
    connectionChangedAt: number;
    webhooksConnectedAt: number | null;
    lastWebhookAt: number | null;
    /** The latest examination of this account, or null. */
    doctor: { endedAt: number | null; well: boolean; running: boolean } | null;
  } | null;
  lastLaunchAt: number | null;
  deployments: number;
  /** Refused only because they were new. */
  undecided: number;
  defaultsSet: boolean;
  brandingSet: boolean;
  marks: SetUpMarks;
};

export type SetUpProgress = {
  steps: readonly { step: SetUpStep; state: StepState }[];
  /** Includes skipped steps. */
  done: number;
};

/** How far an institution has got. Everything is derived from what is there. Only optional steps are answered by hand. */
export function setUpProgress(facts: SetUpFacts): SetUpProgress {
  const { account, lastLaunchAt, deployments, undecided, marks } = facts;
  const steps: SetUpProgress["steps"] = [
    ...(account === null ? [] : accountSteps(account)),
    { step: "launch", state: doneIf(lastLaunchAt !== null) },
    { step: "deployments", state: doneIf(deployments > 0 && undecided === 0) },
    { step: "defaults", state: facts.defaultsSet ? "done" : (marks.defaults ?? "todo") },
    { step: "look", state: facts.brandingSet ? "done" : (marks.look ?? "todo") },
  ];
  return { steps, done: steps.filter(({ state }) => state === "done" || state === "skipped").length };
}

function accountSteps(account: NonNullable<SetUpFacts["account"]>): SetUpProgress["steps"] {
  const { complete, lastWebhookAt, webhooksConnectedAt, connectionChangedAt } = account;
  // What came before the connection changed says nothing about the new one.
  const webhooksSince = Math.max(lastWebhookAt ?? 0, webhooksConnectedAt ?? 0);
  return [
    { step: "connection", state: doneIf(complete) },
    { step: "webhooks", state: doneIf(webhooksSince >= connectionChangedAt) },
    { step: "doctor", state: doctorState(account) },
  ];
}

function doneIf(done: boolean): StepState {
  return done ? "done" : "todo";
}

function doctorState({ doctor, connectionChangedAt }: NonNullable<SetUpFacts["account"]>): StepState {
  if (doctor?.running === true) return "running";
  if (doctor?.endedAt == null || doctor.endedAt < connectionChangedAt) return "todo";
  return doctor.well ? "done" : "wrong";
}

export type DoctorFinding = {
  about: string;
  level: "fine" | "note" | "wrong";
  /** In English. */
  message: string;
  todo: string | null;
  /** By their codes in the catalogue `doctor`. Null if they exist only in English. */
  seen: DoctorSentence | null;
  advice: DoctorSentence | null;
  /** What the service answered, without secrets. Null if nothing was asked. */
  reply: string | null;
};

type DoctorSentence = { code: string; values: Readonly<Record<string, string | number>> };

export type DoctorFound = {
  well: boolean;
  tool: readonly DoctorFinding[];
  environments: readonly { environment: string; findings: readonly DoctorFinding[] }[];
};
