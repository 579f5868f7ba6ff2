import type { App } from "../../app.ts";
import type { Erasure, ErasureSubject } from "./rules/erasure.ts";
import type { HeldRecord, PersonRule, PersonSubject } from "../../domain/held-record.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import type { TombstoneKey } from "./store/erasure-tombstone-store.ts";
import type { ReceiptBody } from "./store/privacy-receipt-store.ts";
import {
  courseByCourse,
  coursesOfRule,
  eraseAll,
  type EraseDeps,
  type EraseStep,
  wholeStep,
} from "./erase-step.ts";
import {
  aboutOf,
  type BodyVerdict,
  names,
  redactStep,
  type RedactReceiptsDeps,
  verdictFor,
} from "./redact-receipts.ts";
import { namesStep, type TakeOutNamesDeps } from "./take-out-names.ts";

export type PersonStepsDeps = EraseDeps &
  RedactReceiptsDeps &
  TakeOutNamesDeps &
  Pick<App, "tombstones" | "people" | "events" | "courses" | "clock" | "ids">;

type Person = Extract<ErasureSubject, { kind: "person" }>;

/** The mark that keeps them away, names in texts, themselves (a launch then makes somebody new), all the rest. */
export function personSteps(deps: PersonStepsDeps, erasure: Erasure, who: Person): EraseStep[] {
  const records = table.flatMap((held) => held.person.map((rule) => stepOf(deps, held, rule, who)));
  // Nobody asked to be forgotten; webhooks about people in no course go by their age.
  if (erasure.who === "retention") return records;
  return [
    { key: "person", run: () => addTombstones(deps, erasure, who) },
    namesStep(deps, who),
    ...records,
    redactStep(deps, who.environment, (bodies) => judge(deps, who, bodies)),
  ];
}

function stepOf(deps: EraseDeps, held: HeldRecord, rule: PersonRule, who: PersonSubject): EraseStep {
  const change = rule.change?.(who);
  if (rule.over === "once") return wholeStep(deps, held, rule.find(who, who.courseIds), change);
  const { registrationId, courseIds } = who;
  const courses = { registrationId, only: coursesOfRule(rule, courseIds) };
  return courseByCourse(deps, held.key, courses, (ids) =>
    eraseAll(deps, held.model, rule.find(who, ids), change),
  );
}

/** Marks them in the first round; later rounds check whether they have come back, by a roster or by themselves. */
async function addTombstones(deps: PersonStepsDeps, { id, rounds }: Erasure, who: Person) {
  const { registrationId, deploymentId, sub, environment, userIds } = who;
  const own: TombstoneKey = { kind: "sub", deploymentId, sub };
  const now = deps.clock.now();
  if (rounds === 0) {
    const users = userIds.map((userId): TombstoneKey => ({ kind: "user", environment, userId }));
    await deps.tombstones.addTombstones(registrationId, [own, ...users], {
      erasureId: id,
      at: now,
      newSalt: deps.ids.secret(),
    });
    return { erased: 0, cursor: null };
  }
  const mark = await deps.tombstones.find(registrationId, own, now);
  // They came by themselves: later reports about their user are theirs.
  if (mark === null || mark.risenAt !== null)
    return { erased: 0, cursor: null, subject: { ...who, userIds: [], soleUserIds: [] } };
  const again = await deps.people.findBySub({ registrationId, deploymentId, sub });
  if (again === null || who.personIds.includes(again.id)) return { erased: 0, cursor: null };
  return { erased: 0, cursor: null, subject: { ...who, personIds: [...who.personIds, again.id] } };
}

/** A user who is also a person of another LMS is erased from webhooks about this LMS's sessions only. */
async function judge(
  deps: PersonStepsDeps,
  { environment, registrationId, userIds, soleUserIds }: PersonSubject,
  bodies: readonly ReceiptBody[],
): Promise<BodyVerdict[]> {
  const shared = userIds.filter((id) => !soleUserIds.includes(id));
  const verdicts: BodyVerdict[] = [];
  for (const { body } of bodies) {
    const verdict = verdictFor(body, soleUserIds);
    const { eventId } = verdict.kind === "stays" && names(body, shared) ? aboutOf(body) : { eventId: null };
    const event = eventId === null ? null : await deps.events.find(environment, eventId);
    const course = event === null || event.courseId === null ? null : await deps.courses.find(event.courseId);
    verdicts.push(course?.registrationId === registrationId ? verdictFor(body, shared) : verdict);
  }
  return verdicts;
}
