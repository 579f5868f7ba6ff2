import type { App } from "../../app.ts";
import { courseName } from "../courses/rules/course-name.ts";
import type { DoctorRun } from "./rules/doctor-report.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { ClassroomOverview } from "../../classroom/open-classrooms.ts";
import type { OperationBasis } from "../../classroom/documented.ts";
import type { ThrottleState } from "../../classroom/throttle-state.ts";
import type { Priority } from "../../classroom/waiting-line.ts";
import type { WebhookArrivals } from "./store/webhook-arrival-store.ts";
import type { IsSpaceOrigin } from "../spaces/space-elsewhere.ts";
import { stateOfDoctor } from "./run-doctor.ts";

export type ShowClassroomDeps = Pick<
  App,
  "spaceUsers" | "publicUrl" | "webhookArrivals" | "doctorRuns" | "spaceRegister" | "courses" | "clock"
> & {
  classroomOverviews: readonly ClassroomOverview[];
  /** Path of the file that overrides the dialect; null when there is none. */
  dialectFile: string | null;
  isSpaceOrigin: IsSpaceOrigin;
};

/** An environment with how it stands. */
export type ClassroomShown = Omit<ClassroomOverview, "throttle" | "waiting" | "addresses"> & {
  /** Where the classroom is to send its webhooks. */
  webhookUrl: string;
  /** How many the classroom did not add to a Space when they entered last. */
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
    Promise.all(deps.classroomOverviews.map((one) => shownOf(deps, one))),
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
const maxCourses = 100;

async function elsewhereIn(deps: ShowClassroomDeps, environment: EnvironmentName) {
  const kept = await deps.spaceRegister.listElsewhere(environment, maxCourses);
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
  { throttle, waiting, addresses, ...facts }: ClassroomOverview,
): Promise<ClassroomShown> {
  const [state, remembered, failed, webhooks, elsewhere] = await Promise.all([
    throttle(),
    addresses(),
    deps.spaceUsers.countFailed(facts.environment),
    deps.webhookArrivals.find(facts.environment),
    elsewhereIn(deps, facts.environment),
  ]);
  return {
    ...facts,
    webhookUrl: `${deps.publicUrl}/webhooks/${facts.environment}`,
    throttle: state,
    waiting: waiting(),
    addresses: remembered,
    notAdded: failed,
    webhooks,
    elsewhere,
  };
}
