import type { App } from "../../app.ts";
import type { ErasureSubject } from "./rules/erasure.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import type { AccountId } from "../../domain/account.ts";
import type { UserOfPerson } from "../members/store/person-store.ts";
import type { ReceiptBody } from "./store/privacy-receipt-store.ts";
import { type CloseSpacesDeps, eraseSpaces } from "./course-steps.ts";
import { courseByCourse, eraseAll, type EraseDeps, type EraseStep, wholeStep } from "./erase-step.ts";
import { aboutOf, type BodyVerdict, redactStep, type RedactReceiptsDeps } from "./redact-receipts.ts";
import { withCoursesAndSpaces } from "./registration-subject.ts";

export type RegistrationStepsDeps = EraseDeps & RedactReceiptsDeps & CloseSpacesDeps & Pick<App, "people">;

type Registration = Extract<ErasureSubject, { kind: "registration" }>;

const spaceBatchSize = 100;
/** Last of the LMS's records: the rest is found by people and courses. */
const last = ["courses", "person"];

/**
 * Switches an LMS off, notes its courses and Spaces and closes the Spaces; then erases webhooks that name its people,
 * what is found by its courses, everything else of it, itself, and records about its Spaces that no course of another
 * LMS uses.
 */
export function registrationSteps(deps: RegistrationStepsDeps, what: Registration): EraseStep[] {
  const { registrationId, environment, courseIds = null, spaceIds = [] } = what;
  const registration = { model: "Registration", key: "registrations" };
  const off = { update: { $set: { active: false } } };
  const byCourse = table.filter((held) => held.ofCourses !== null && held.ofRegistration === null);
  const own = table.flatMap((held) =>
    held.ofRegistration === null ? [] : [{ held, filter: held.ofRegistration(registrationId) }],
  );
  // As noted: from the second round on there are none stored.
  const all = { registrationId, only: courseIds };
  return [
    // Counted with the registration itself, at the end.
    {
      key: "registrations",
      run: async () => {
        await eraseAll(deps, registration.model, { _id: registrationId, active: true }, off);
        return { erased: 0, cursor: null, subject: await withCoursesAndSpaces(deps, what) };
      },
    },
    {
      key: "spaceRights",
      run: async () => ({
        erased: await deps.spaceRegister.closeOf({ registrationId }, "lms-uninstalled", deps.clock.now()),
        cursor: null,
      }),
    },
    redactStep(deps, environment, (bodies) => judge(deps, environment, registrationId, bodies)),
    ...byCourse.map(({ model, key, ofCourses }) =>
      courseByCourse(deps, key, all, (ids) =>
        ofCourses === null ? Promise.resolve(0) : eraseAll(deps, model, ofCourses(registrationId, ids)),
      ),
    ),
    ...own
      .filter(({ held }) => !last.includes(held.key))
      .map(({ held, filter }) => wholeStep(deps, held, filter)),
    ...own
      .filter(({ held }) => last.includes(held.key))
      .map(({ held, filter }) => wholeStep(deps, held, filter)),
    wholeStep(deps, registration, { _id: registrationId }),
    {
      key: "recordings",
      run: async (cursor) => {
        const from = cursor === "" ? 0 : Number(cursor);
        const next = from + spaceBatchSize;
        const erased = await eraseSpaces(deps, environment, spaceIds.slice(from, next));
        return { erased, cursor: next < spaceIds.length ? String(next) : null };
      },
    },
  ];
}

/** A webhook goes when it is about a person of this LMS and of no other. */
async function judge(
  deps: RegistrationStepsDeps,
  environment: AccountId,
  registrationId: string,
  bodies: readonly ReceiptBody[],
): Promise<BodyVerdict[]> {
  const users = bodies.map(({ body }) => aboutOf(body).userId);
  const people = await deps.people.listByApiUsers(environment, [
    ...new Set(users.flatMap((userId) => userId ?? [])),
  ]);
  const isHere = ({ person }: UserOfPerson) => person.registrationId === registrationId;
  const here = new Set(people.filter(isHere).map(({ userId }) => userId));
  const elsewhere = new Set(people.filter((one) => !isHere(one)).map(({ userId }) => userId));
  return users.map((userId) => ({
    kind: userId !== null && here.has(userId) && !elsewhere.has(userId) ? "goes" : "stays",
  }));
}
