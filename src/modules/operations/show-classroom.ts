import { courseName } from "../courses/rules/course-name.ts";
import type { DoctorRun } from "./rules/doctor-report.ts";
import type { ClassroomRole } from "../../domain/api-user.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { OperationBasis } from "../../classroom/documented.ts";
import type { ThrottleState } from "../../classroom/throttle-state.ts";
import type { Priority } from "../../classroom/waiting-line.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import type { DoctorRunStore } from "./store/doctor-run-store.ts";
import type { SpaceRegister } from "../spaces/store/space-register.ts";
import type { WebhookArrivals, WebhookArrivalStore } from "./store/webhook-arrival-store.ts";
import type { IsSpaceOrigin } from "../spaces/space-elsewhere.ts";
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
  spaceRegister: Pick<SpaceRegister, "listElsewhere">;
  courses: Pick<CourseStore, "find">;
  isSpaceOrigin: IsSpaceOrigin;
  clock: Clock;
};

/** An environment with how it stands. */
export type ClassroomShown = Omit<ConfiguredClassroom, "throttle" | "waiting" | "addresses" | "notAdded"> & {
  notAdded: number;
  throttle: ThrottleState;
  waiting: Readonly<Record<Priority, number>>;
  addresses: readonly OperationBasis[];
  webhooks: WebhookArrivals;
  /** Where the service said that new Spaces are, when that is none of its origins, with the courses they are kept for. */
  elsewhere: readonly { origin: string; courses: readonly { id: string; name: string }[] }[];
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

/** So many courses are looked at. */
const most = 100;

async function elsewhereIn(deps: ShowClassroomDeps, environment: EnvironmentName) {
  const kept = await deps.spaceRegister.listElsewhere(environment, most);
  const shut = kept.filter(({ origin }) => !deps.isSpaceOrigin(environment, origin));
  const origins = [...new Set(shut.map(({ origin }) => origin))];
  return Promise.all(
    origins.map(async (origin) => {
      const ids = shut.flatMap((one) => (one.origin === origin ? [one.courseId] : []));
      const courses = await Promise.all([...new Set(ids)].map((id) => deps.courses.find(id)));
      return {
        origin,
        courses: courses.flatMap((one) => (one === null ? [] : [{ id: one.id, name: courseName(one) }])),
      };
    }),
  );
}

async function shownOf(
  deps: ShowClassroomDeps,
  { throttle, waiting, addresses, notAdded, ...facts }: ConfiguredClassroom,
): Promise<ClassroomShown> {
  const [state, remembered, failed, webhooks, elsewhere] = await Promise.all([
    throttle(),
    addresses(),
    notAdded(),
    deps.webhookArrivals.find(facts.environment),
    elsewhereIn(deps, facts.environment),
  ]);
  return {
    ...facts,
    throttle: state,
    waiting: waiting(),
    addresses: remembered,
    notAdded: failed,
    webhooks,
    elsewhere,
  };
}
