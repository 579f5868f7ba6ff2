import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { UserInRole } from "../../classroom/people.ts";
import type { Course } from "../../domain/course.ts";
import { type CourseLink, spaceAccessOf } from "../../domain/course-link.ts";
import { notOnList } from "./rules/space-user.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { prepareOnce, whenTurnComes } from "../../tasks/prepare-once.ts";
import { makeOnce } from "../../kernel/make-once.ts";

export type AddToSpaceListDeps = Pick<App, "spaceUsers" | "clock" | "ids" | "logger"> & {
  classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "addsToSpace" | "addToSpace">;
};

type Entrant = UserInRole & { spaceId: string };

/**
 * Tells a Space of a user in a role it does not know, where the dialect can: once over all processes. A Public Space
 * lets in people who are not on its list, so a failure is recorded and tried again at the next entry. Nobody is
 * removed: the dialect knows no way.
 * @param target The course, and the link into the Space, which may be another course's.
 * @throws NamedError "space-list-refused" of a Private Space, and the classroom client's errors of one when a retry can
 *   help; before a session any of them for a host, so that it is tried again when they come.
 */
export async function addToSpaceList(
  deps: AddToSpaceListDeps,
  target: { course: Course; link: CourseLink | null },
  who: Entrant,
  options: CallOptions,
): Promise<void> {
  const { course, link } = target;
  const { environment } = course;
  const { spaceId, userId, role } = who;
  if (!deps.classroomOf(environment).addsToSpace.includes(role)) return;
  const known = await deps.spaceUsers.find({ environment, spaceId }, userId);
  if (known?.role === role) return;
  const needsList = spaceAccessOf(course, link) === "invited-only";
  try {
    // People who get in anyway are not held up by a failing service.
    await addOnce(deps, course, who, needsList ? options : { ...options, attempts: 1 });
  } catch (thrown) {
    if (!isOfClassroom(thrown)) throw thrown;
    await noteFailure(deps, course, who, thrown);
    if (needsList) throw thrown.temporary ? thrown : refusedByList(thrown);
    // A person who enters is let in by authorize; a prepared login would let a host in as a participant.
    if (options.priority !== "entry" && role === "host") throw thrown;
  }
}

async function addOnce(
  deps: AddToSpaceListDeps,
  course: Course,
  who: Entrant,
  options: CallOptions,
): Promise<void> {
  const { spaceUsers, clock } = deps;
  const { environment } = course;
  const { spaceId, userId, role } = who;
  const add = async (manner: CallOptions): Promise<string> => {
    await deps.classroomOf(environment).addToSpace(who, manner);
    return role;
  };
  const once = {
    onOthersMake: options.onPermit,
    read: async () => {
      const now = await spaceUsers.find({ environment, spaceId }, userId);
      return now?.role === role ? role : null;
    },
    claim: (holder: string, now: number, until: number) =>
      spaceUsers.claim(course, who, { holder, now, until }),
    extend: (holder: string, until: number) => spaceUsers.extend(course, who, holder, until),
    keep: (holder: string) => spaceUsers.keep(course, who, holder, clock.now()),
    release: (holder: string) => spaceUsers.release(course, who, holder),
  };
  if (options.priority === "entry") await makeOnce(deps, { ...once, make: () => add(options) });
  else
    await prepareOnce(deps, { ...once, make: (turn) => add(whenTurnComes(options, turn)) }, options.signal);
}

async function noteFailure(
  { spaceUsers, clock, logger }: AddToSpaceListDeps,
  course: Course,
  { spaceId, userId, role }: Entrant,
  { code, details }: NamedError,
): Promise<void> {
  await spaceUsers.noteFailure(course, { spaceId, userId }, { at: clock.now(), problem: code });
  logger.warn(
    { course: course.id, space: spaceId, user: userId, role, code, answer: details.answer },
    "somebody could not be added to their Space; it is tried again when they enter the next time",
  );
}

function isOfClassroom(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.code.startsWith("classroom-");
}

function refusedByList(cause: NamedError): NamedError {
  return refusal(notOnList, { status: 403, cause, details: cause.details });
}
