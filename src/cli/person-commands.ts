import { userIdsOf } from "../domain/api-user.ts";
import { createLogger } from "../kernel/logger.ts";
import {
  eraseCourse,
  erasePerson,
  findPerson,
  searchPeople,
  uninstallRegistration,
  unknownCourse,
} from "../modules/privacy/erase.ts";
import { exportCourse, exportPerson } from "../modules/privacy/export.ts";
import type { Erasure } from "../modules/privacy/rules/erasure.ts";
import { runErasure } from "../modules/privacy/run-erasure.ts";
import { knownRegistration } from "../modules/registration/registrations.ts";
import { approveSpace, closeSpace, listSpaces } from "../modules/spaces/decide-spaces.ts";
import { accountNamed } from "./accounts.ts";
import {
  type Answer,
  type Command,
  type CommandTools,
  operatorParts,
  timeText,
  UsageError,
} from "./command.ts";

/** The command line erases in its own process, whether the tool runs or not. */
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
  return exported(exportPerson(parts, await findPerson(parts, { personId })));
};

async function exported(pieces: AsyncIterable<string>): Promise<Answer> {
  let text = "";
  for await (const piece of pieces) text += piece;
  const json: unknown = JSON.parse(text);
  return { text, json };
}

export const eraseOne: Command = async (tools, personId) => {
  const parts = await erasingParts(tools);
  const { id } = await findPerson(parts, { personId });
  const stays =
    "Their user in the classroom and the grades in the LMS stay there: the interface has no way to remove a user.";
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
  exported(exportCourse(await operatorParts(tools), courseId));

export const eraseOneCourse: Command = async (tools, courseId) => {
  const parts = await erasingParts(tools);
  const stays = "Its Space stays in the classroom; the next launch from the course begins with a new one.";
  return carriedOut(parts, await eraseCourse(parts, courseId), stays);
};

/** spaces list: Spaces to approve, and courses that use a Space made elsewhere */
export const listAllSpaces: Command = async (tools) => {
  const parts = await operatorParts(tools);
  const { registration } = tools.values;
  if (registration !== undefined) await knownRegistration(parts.registrations, registration);
  const { requests, given, closed } = await listSpaces(parts, null);
  const ofLms = (one: { registrationId: string }) =>
    registration === undefined || one.registrationId === registration;
  const [asked, used] = [requests.filter(ofLms), given.filter(ofLms)];
  const text = [
    ...asked.map((one) => `asked for    ${one.spaceId}  ${one.courseId}  ${one.course}, ${one.lms}`),
    ...used.map((one) => {
      const shared = one.sharedWith.length === 0 ? "" : `  also in use by ${one.sharedWith.join(", ")}`;
      const shut = one.notOwn ? "  not entered: the institution allows only its own" : "";
      return `${one.way.padEnd(13)}${one.spaceId}  ${one.courseId}  ${one.course}, ${one.lms}${shared}${shut}`;
    }),
    ...closed.map((one) => `closed       ${one.spaceId}  ${timeText(one.closed?.at ?? 0)}`),
  ];
  return {
    text: text.length === 0 ? "No course uses or wants a Space that was made elsewhere." : text.join("\n"),
    json: { requests: asked, given: used, closed },
  };
};

export const approveOneSpace: Command = async (tools, spaceId) => {
  const courseId = tools.values.course;
  if (courseId === undefined) throw new UsageError("For which course? Its id is on its page: --course ID");
  const parts = await operatorParts(tools);
  const course = await parts.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const outcome = await approveSpace(parts, course, spaceId, null);
  const text =
    outcome === "approved"
      ? "Approved. An instructor sets it in the course, under Settings, Space."
      : outcome === "ownOnly"
        ? "The institution lets its courses use only Spaces that were made for them. Change that first, in the console under Defaults for its courses."
        : "This Space stays closed: its course was erased or its LMS was uninstalled.";
  return { text, json: { outcome, spaceId, courseId }, bad: outcome !== "approved" };
};

export const closeOneSpace: Command = async (tools, spaceId) => {
  const parts = await operatorParts(tools);
  const { id: environment } = accountNamed(tools.values, parts.accounts);
  await closeSpace(parts, { environment, spaceId });
  return {
    text: "Closed: nobody enters it through this tool any more. spaces approve opens it again.",
    json: { spaceId, environment },
  };
};
