import { approveSpace, closeSpace, listSpaces } from "../modules/spaces/decide-spaces.ts";
import { unknownCourse } from "../modules/privacy/erase.ts";
import { knownRegistration } from "../modules/registration/registrations.ts";
import { type Command, operatorParts, timeText, UsageError } from "./command.ts";
import { accountNamed } from "./account-commands.ts";

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
    ...closed.map(
      (one) => `closed       ${one.spaceId}  ${one.environment}  ${timeText(one.closed?.at ?? 0)}`,
    ),
  ];
  return {
    text: text.length === 0 ? "No course uses or wants a Space that was made elsewhere." : text.join("\n"),
    json: { requests: asked, given: used, closed },
  };
};

const approvalTexts: Readonly<Partial<Record<string, string>>> = {
  approved: "Approved. An instructor sets it in the course, under Settings, Space.",
  ownOnly:
    "The institution lets its courses use only Spaces that were made for them. Change that first, in the console under Defaults for its courses.",
};
const staysClosed = "This Space stays closed: its course was erased or its LMS was uninstalled.";

export const approveOneSpace: Command = async (tools, spaceId) => {
  const courseId = tools.values.course;
  if (courseId === undefined) throw new UsageError("For which course? Its id is on its page: --course ID");
  const parts = await operatorParts(tools);
  const course = await parts.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const outcome = await approveSpace(parts, course, spaceId, null);
  const bad = outcome !== "approved";
  return { text: approvalTexts[outcome] ?? staysClosed, json: { outcome, spaceId, courseId }, bad };
};

export const closeOneSpace: Command = async (tools, spaceId) => {
  const parts = await operatorParts(tools);
  const { id: environment } = accountNamed(tools.values, parts.accounts);
  await closeSpace(parts, { environment, spaceId });
  return {
    text: "Closed: nobody enters it through this tool. spaces approve opens it again.",
    json: { spaceId, environment },
  };
};
