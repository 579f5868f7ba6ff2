import type { App } from "../../app.ts";
import type { Person } from "../../domain/course.ts";
import type { PersonSubject } from "../../domain/held-record.ts";
import { fullName } from "../../domain/person-name.ts";
import { withoutNames } from "../recordings/rules/recording-text.ts";
import { courseByCourse, type EraseDeps, type EraseStep } from "./erase-step.ts";

export type TakeOutNamesDeps = EraseDeps & Pick<App, "people" | "recordingTexts">;

/** Texts read at once: each may be long. */
const batchSize = 5;

/** Takes a person's names out of texts in their courses, before the record with the names is erased. */
export function namesStep(
  deps: TakeOutNamesDeps,
  { registrationId, environment, personIds, courseIds }: PersonSubject,
): EraseStep {
  return courseByCourse(deps, "recordingTexts", { registrationId, only: courseIds }, async (ids) => {
    const names = (await deps.people.findMany(personIds)).flatMap(namesOf);
    if (names.length === 0) return 0;
    let changed = 0;
    for (const spaceId of await spacesOf(deps, ids))
      changed += await takeOut(deps, { environment, spaceId }, names);
    return changed;
  });
}

/** Spaces that some courses have, had or link to, with or without a right to them. */
async function spacesOf({ personalRecords }: EraseDeps, ids: readonly string[]): Promise<Set<string>> {
  const courseId = { $in: [...ids] };
  const found = [
    await personalRecords.distinct("Course", "spaceId", { _id: courseId }),
    await personalRecords.distinct("FormerSpace", "spaceId", { courseId }),
    await personalRecords.distinct("CourseLink", "choice.spaceId", { courseId }),
  ];
  return new Set(found.flat());
}

function namesOf(person: Pick<Person, "name" | "givenName" | "familyName">): string[] {
  return [fullName(person), person.givenName, person.familyName].flatMap((name) => name ?? []);
}

async function takeOut(
  { recordingTexts }: Pick<TakeOutNamesDeps, "recordingTexts">,
  { environment, spaceId }: Pick<PersonSubject, "environment"> & { spaceId: string },
  names: readonly string[],
): Promise<number> {
  let changed = 0;
  let last = "";
  for (;;) {
    const texts = await recordingTexts.listOfSpace(environment, spaceId, last, batchSize);
    for (const { id, text: from } of texts) {
      const to = withoutNames(from, names);
      if (to !== from && (await recordingTexts.redact(id, { from, to }))) changed += 1;
    }
    if (texts.length < batchSize) return changed;
    last = texts.at(-1)?.id ?? last;
  }
}
