import type { App } from "../../app.ts";
import { courseName } from "../courses/rules/course-name.ts";
import type { DoctorRun } from "./rules/doctor-report.ts";
import type { AccountId } from "../../domain/account.ts";
import type { ClassroomOverview } from "../../classroom/open-classrooms.ts";
import type { OperationBasis } from "../../classroom/documented.ts";
import type { ThrottleState } from "../../classroom/budgets.ts";
import type { Priority } from "../../classroom/waiting-line.ts";
import type { WebhookArrivals } from "./store/webhook-arrival-store.ts";
import type { IsSpaceOrigin } from "../spaces/space-rights.ts";
import { stateOfDoctor } from "./run-doctor.ts";

export type ShowClassroomDeps = Pick<
  App,
  | "accounts"
  | "spaceUsers"
  | "publicUrl"
  | "webhookArrivals"
  | "doctorRuns"
  | "spaceRegister"
  | "courses"
  | "clock"
> & {
  classroomOverview: (account: AccountId) => ClassroomOverview | undefined;
  /** Path of the file that overrides the dialect; null for none. */
  dialectFile: string | null;
  isSpaceOrigin: IsSpaceOrigin;
};

export type ClassroomShown = Omit<ClassroomOverview, "throttle" | "waiting" | "addresses" | "fails"> & {
  webhookUrl: string;
  /** People the classroom did not add to a Space at their last entry. */
  notAdded: number;
  throttle: ThrottleState;
  waiting: Readonly<Record<Priority, number>>;
  addresses: readonly OperationBasis[];
  webhooks: WebhookArrivals;
  /** Foreign origins that the service named for new Spaces, with their courses. */
  elsewhere: readonly { origin: string; courses: readonly { id: string; name: string }[] }[];
};

export type ClassroomPage = {
  environments: readonly ClassroomShown[];
  dialectFile: string | null;
  doctor: DoctorRun | null;
  doctorState: ReturnType<typeof stateOfDoctor>;
};

/** Reads only the store, never the classroom. */
export async function showClassroom(deps: ShowClassroomDeps): Promise<ClassroomPage> {
  const [environments, doctor] = await Promise.all([
    Promise.all(
      deps.accounts.ids().flatMap((id) => {
        const overview = deps.classroomOverview(id);
        return overview === undefined ? [] : [shownOf(deps, overview)];
      }),
    ),
    deps.doctorRuns.find(),
  ]);
  return {
    environments,
    dialectFile: deps.dialectFile,
    doctor,
    doctorState: stateOfDoctor(doctor, deps.clock.now()),
  };
}

const maxCourses = 100;

async function elsewhereIn(deps: ShowClassroomDeps, environment: AccountId) {
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
