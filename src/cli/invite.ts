import { readAccountName } from "../modules/accounts/rules/account-input.ts";
import { inviteLms } from "../modules/operations/invite-lms.ts";
import { type Command, type CommandTools, operatorParts, timeText, UsageError } from "./command.ts";
import { accountNamed } from "./account-named.ts";
import { readOrExplain } from "./account-problems.ts";

/** invite [--institution NAME] [--account ID | --new-account ID] [--administrators in|out] [--hours 72] */
export const invite: Command = async (tools) => {
  const { values } = tools;
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 30)) throw new UsageError("--hours must be a number between 1 and 720.");
  const { institution } = values;
  const made = newAccountIn(values);
  const letsAdministratorsIn = letsIn(values);
  const parts = await operatorParts(tools);
  const account = made?.id ?? accountNamed(values, parts.accounts).id;
  const { publicUrl } = parts.config;
  const { invitation, url } = await inviteLms(
    { ...parts, publicUrl },
    {
      ...{ account, hours, letsAdministratorsIn },
      ...(institution === undefined ? {} : { institution }),
      ...(made === null ? {} : { newAccountName: made.name }),
    },
  );
  const expires = timeText(invitation.expiresAt);
  const next = letsAdministratorsIn
    ? `\nIts administrators then open the tool in a course and choose "Open administration": a page leads them through the rest.`
    : "";
  return {
    text: `${url}\n\nGive this address to the LMS administrator; opened in a browser it says what to do. It works once, until ${expires}.\nMoodle: Site administration > Plugins > Activity modules > External tool > Manage tools > Tool URL.\nCanvas: Admin > Developer Keys > + Developer Key > LTI Registration; newer Canvas: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.${next}`,
    json: { url, account, expiresAt: expires },
  };
};

/** Null: an account that is there. */
function newAccountIn({
  account,
  institution,
  name,
  "new-account": id,
}: CommandTools["values"]): { id: string; name: string } | null {
  if (id === undefined) return null;
  if (account !== undefined) throw new UsageError("Give --account or --new-account, not both.");
  return readOrExplain(readAccountName({ id, name: name ?? institution ?? id }));
}

/** One LMS may serve many institutions: its administrators are let in where one institution is named. */
function letsIn({ administrators, institution, "new-account": id }: CommandTools["values"]): boolean {
  if (administrators === undefined) return institution !== undefined || id !== undefined;
  if (administrators === "in" || administrators === "out") return administrators === "in";
  throw new UsageError("--administrators is in or out.");
}
