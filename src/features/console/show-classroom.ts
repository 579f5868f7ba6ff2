import type { DoctorRun } from "../../domain/doctor-report.ts";
import type { ClassroomRole } from "../../domain/api-user.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { OperationBasis } from "../../classroom/documented.ts";
import type { ThrottleState } from "../../classroom/throttle-state.ts";
import type { Priority } from "../../classroom/waiting-line.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DoctorRunStore } from "../../storage/doctor-run-store.ts";
import type { WebhookArrivals, WebhookArrivalStore } from "../../storage/webhook-arrival-store.ts";
import { stateOfDoctor } from "./run-doctor.ts";

/** An environment of the classroom as it is configured; of its secrets no more than what tells them apart. */
export type ConfiguredClassroom = {
  environment: EnvironmentName;
  baseUrl: string;
  appUrl: string;
  /** The last four characters of the API key. */
  keyEnd: string;
  /** Where the classroom is to send its webhooks. */
  webhookUrl: string;
  /** How many webhook secrets are taken: two during a rotation. */
  secrets: number;
  throttle: () => Promise<ThrottleState>;
  /** How many calls of this process wait, by priority. */
  waiting: () => Readonly<Record<Priority, number>>;
  /** In which roles the dialect can add somebody to a Space that was made. */
  addsToSpace: readonly ClassroomRole[];
  /** How many the classroom did not add to a Space when they entered last. */
  notAdded: () => Promise<number>;
  /** Of each operation: what of it is documented, what assumed, and when the service last answered it. */
  addresses: () => Promise<OperationBasis[]>;
};

export type ShowClassroomDeps = {
  classrooms: readonly ConfiguredClassroom[];
  /** Path of the file that overrides the dialect; null when there is none. */
  dialectFile: string | null;
  webhookArrivals: Pick<WebhookArrivalStore, "find">;
  doctorRuns: Pick<DoctorRunStore, "find">;
  clock: Clock;
};

/** An environment with how it stands. */
export type ClassroomShown = Omit<ConfiguredClassroom, "throttle" | "waiting" | "addresses" | "notAdded"> & {
  notAdded: number;
  throttle: ThrottleState;
  waiting: Readonly<Record<Priority, number>>;
  addresses: readonly OperationBasis[];
  webhooks: WebhookArrivals;
};

/** The environments of the classroom, and the doctor's latest examination of them. */
export type ClassroomPage = {
  environments: readonly ClassroomShown[];
  dialectFile: string | null;
  doctor: DoctorRun | null;
  doctorState: ReturnType<typeof stateOfDoctor>;
};

/** How the classroom's environments stand; asks the store only, never the classroom. */
export async function showClassroom(deps: ShowClassroomDeps): Promise<ClassroomPage> {
  const [environments, doctor] = await Promise.all([
    Promise.all(deps.classrooms.map((one) => shownOf(deps, one))),
    deps.doctorRuns.find(),
  ]);
  return {
    environments,
    dialectFile: deps.dialectFile,
    doctor,
    doctorState: stateOfDoctor(doctor, deps.clock.now()),
  };
}

async function shownOf(
  { webhookArrivals }: ShowClassroomDeps,
  { throttle, waiting, addresses, notAdded, ...facts }: ConfiguredClassroom,
): Promise<ClassroomShown> {
  const [state, remembered, failed, webhooks] = await Promise.all([
    throttle(),
    addresses(),
    notAdded(),
    webhookArrivals.find(facts.environment),
  ]);
  return { ...facts, throttle: state, waiting: waiting(), addresses: remembered, notAdded: failed, webhooks };
}
