import { userIdsOf } from "../domain/person.ts";
import { createLogger } from "../kernel/logger.ts";
import {
  eraseCourse,
  erasePerson,
  findPerson,
  searchPeople,
  uninstallRegistration,
} from "../modules/privacy/erase.ts";
import { exportCourse, exportPerson } from "../modules/privacy/export.ts";
import type { Erasure } from "../modules/privacy/rules/erasure.ts";
import { runErasure } from "../modules/privacy/run-erasure.ts";
import { knownRegistration } from "../modules/registration/registrations.ts";
import { type Answer, type Command, type CommandTools, operatorParts, UsageError } from "./command.ts";

/** The command line erases in its own process, whether the tool runs or not. */
async function erasingParts(tools: CommandTools) {
  return { ...(await operatorParts(tools)), logger: createLogger("silent") };
}

/** Does the first round. The tool runs the second two minutes later. */
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

export const findPeople: Command = async (tools, id, text) => {
  const parts = await operatorParts(tools);
  await knownRegistration(parts.registrations, id);
  const people = await searchPeople(parts, id, text);
  const lines = people.map(
    (one) => `${one.id}  ${one.sub}  ${userIdsOf(one).join(",") || "-"}  ${one.name ?? ""}`,
  );
  return { text: lines.length === 0 ? "Nobody." : lines.join("\n"), json: people };
};

export const exportOne: Command = async (tools, personId) => {
  const parts = await operatorParts(tools);
  return written(exportPerson(parts, await findPerson(parts, { personId })));
};

/** A JSON document, written while it's read. */
function written(pieces: AsyncIterable<string>): Answer {
  return { text: "", json: null, lines: pieces };
}

export const eraseOne: Command = async (tools, personId) => {
  const parts = await erasingParts(tools);
  const { id } = await findPerson(parts, { personId });
  const stays =
    "Their user in the classroom and their grades in the LMS stay: the classroom can't remove a user.";
  return carriedOut(parts, await erasePerson(parts, id), stays);
};

export const uninstall: Command = async (tools, id) => {
  const { name } = tools.values;
  if (name === undefined)
    throw new UsageError("Say the LMS's name, too, so that no other is uninstalled: --name NAME");
  const parts = await erasingParts(tools);
  const stays = "Its Spaces and users stay in the classroom, its columns and grades in the LMS.";
  return carriedOut(parts, await uninstallRegistration(parts, id, name), stays);
};

export const exportOneCourse: Command = async (tools, courseId) =>
  written(exportCourse(await operatorParts(tools), courseId));

export const eraseOneCourse: Command = async (tools, courseId) => {
  const parts = await erasingParts(tools);
  const stays = "Its Space stays in the classroom; the next launch from the course begins with a new one.";
  return carriedOut(parts, await eraseCourse(parts, courseId), stays);
};
