import { userIdsOf } from "../domain/api-user.ts";
import { createLogger } from "../kernel/logger.ts";
import { eraseCourse, erasePerson, uninstallRegistration } from "../modules/privacy/erase.ts";
import { exportCourse, exportPerson } from "../modules/privacy/export.ts";
import { findPerson, searchPeople } from "../modules/privacy/find-person.ts";
import type { Erasure } from "../modules/privacy/rules/erasure.ts";
import { runErasure } from "../modules/privacy/run-erasure.ts";
import { knownRegistration } from "../modules/registration/registrations.ts";
import { type Answer, type Command, type CommandTools, operatorParts, UsageError, word } from "./command.ts";

const whichPerson = "Which person? See: npm run cli -- person find REGISTRATION TEXT";

/** The command line erases by itself, whether the tool runs or not. */
async function erasingParts(tools: CommandTools) {
  return { ...(await operatorParts(tools)), wake: () => undefined, logger: createLogger("silent") };
}

/** The first round; the tool runs the second two minutes later. */
async function carriedOut(
  parts: Awaited<ReturnType<typeof erasingParts>>,
  { id }: Pick<Erasure, "id">,
  stays: string,
): Promise<Answer> {
  await runErasure(parts, id);
  const erasure = await parts.erasures.find(id);
  const { erased = {}, state } = erasure ?? {};
  const counts = Object.entries(erased).map(([key, count]) => `  ${key}: ${count}`);
  const text = [
    `Erased (${id}):`,
    ...counts,
    "In two minutes the running tool looks whether something under way has written any of it again.",
    stays,
  ].join("\n");
  return { text, json: { id, state, erased } };
}

/** person find REGISTRATION TEXT */
export function findPeople(words: readonly string[]): Command {
  const id = word(words, 0, "In which LMS? See: npm run cli -- platform list");
  const text = word(
    words,
    1,
    "Whom? A user id of the LMS or the classroom, or how a name or an e-mail address begins.",
  );
  return async (tools) => {
    const parts = await operatorParts(tools);
    await knownRegistration(parts.registrations, id);
    const people = await searchPeople(parts, id, text);
    const lines = people.map(
      (one) => `${one.id}  ${one.sub}  ${userIdsOf(one).join(",") || "-"}  ${one.name ?? ""}`,
    );
    return { text: lines.length === 0 ? "Nobody." : lines.join("\n"), json: people };
  };
}

/** person export ID */
export function exportOne(words: readonly string[]): Command {
  const personId = word(words, 0, whichPerson);
  return async (tools) => {
    const parts = await operatorParts(tools);
    const pieces: string[] = [];
    for await (const piece of exportPerson(parts, await findPerson(parts, { personId }))) pieces.push(piece);
    const text = pieces.join("");
    const json: unknown = JSON.parse(text);
    return { text, json };
  };
}

/** person erase ID */
export function eraseOne(words: readonly string[]): Command {
  const personId = word(words, 0, whichPerson);
  return async (tools) => {
    const parts = await erasingParts(tools);
    const { id } = await findPerson(parts, { personId });
    const stays =
      "Their user in the classroom and the grades in the LMS stay there: the interface has no way to remove a user.";
    return carriedOut(parts, await erasePerson(parts, id), stays);
  };
}

/** platform uninstall ID --name NAME */
export function uninstall(words: readonly string[]): Command {
  const id = word(words, 0, "Which registration? See: npm run cli -- platform list");
  return async (tools) => {
    const { name } = tools.values;
    if (name === undefined)
      throw new UsageError("Say the LMS's name, too, so that no other is uninstalled: --name NAME");
    const parts = await erasingParts(tools);
    const stays = "Its Spaces and users stay in the classroom, its columns and grades in the LMS.";
    return carriedOut(parts, await uninstallRegistration(parts, id, name), stays);
  };
}

const whichCourse = "Which course? Its id is on its page of the console.";

/** course export ID */
export function exportOneCourse(words: readonly string[]): Command {
  const courseId = word(words, 0, whichCourse);
  return async (tools) => {
    const pieces: string[] = [];
    for await (const piece of exportCourse(await operatorParts(tools), courseId)) pieces.push(piece);
    const text = pieces.join("");
    const json: unknown = JSON.parse(text);
    return { text, json };
  };
}

/** course erase ID */
export function eraseOneCourse(words: readonly string[]): Command {
  const courseId = word(words, 0, whichCourse);
  return async (tools) => {
    const parts = await erasingParts(tools);
    const stays = "Its Space stays in the classroom; the next launch from the course begins with a new one.";
    return carriedOut(parts, await eraseCourse(parts, courseId), stays);
  };
}
