import { Router } from "express";
import type { AccountId } from "../../../domain/account.ts";
import { readAccountName } from "../../accounts/rules/account-input.ts";
import { inviteLms } from "../../operations/invite-lms.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { defineView } from "../../../web/view.ts";
import { type AccountFieldProblems, problemWords } from "./account-form.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type InvitePage = ConsoleFrame & {
  environments: readonly AccountId[];
  offeredHours: typeof offeredHours;
  typed: TypedInvitation;
  problems: InvitationProblems;
};

type TypedInvitation = {
  institution: string;
  /** An account's id, or `newAccount`. */
  environment: string;
  accountId: string;
  accountName: string;
  letIn: boolean;
  hours: string;
};
type InvitationProblems = Partial<Record<keyof TypedInvitation, string>>;

/** An invitation, shown once. */
export type InvitedPage = ConsoleFrame & {
  url: string;
  environment: AccountId;
  institution: string | null;
  letIn: boolean;
  expiresAt: number;
};

const invitePage = defineView<InvitePage>("admin/invite");
const invitedPage = defineView<InvitedPage>("admin/invited");

/** Hours: an hour, a day, three days, a week, a month. */
const offeredHours = [1, 24, 72, 168, 720] as const;
const usualHours = "72";
/** No account's id: it has a capital letter. */
const newAccount = "NEW";
const maxNameCharacters = 80;

export function invitationPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/invitations/new",
    gate.page((visit) => {
      const [environment = newAccount] = deps.accounts.ids();
      const empty = { institution: "", accountId: "", accountName: "" };
      askFor(deps, visit, { ...empty, environment, letIn: true, hours: usualHours }, {});
    }),
  );
  router.post(
    "/invitations",
    gate.action((visit) => invite(deps, visit)),
  );
  return router;
}

async function invite(deps: ConsoleApp, visit: Visit): Promise<void> {
  const { t } = visit;
  const typed = typedBy(visit);
  const { institution } = typed;
  const problems = problemsOf(deps, visit, typed);
  const makesAccount = typed.environment === newAccount;
  const hours = offeredHours.find((one) => String(one) === typed.hours);
  if (hours === undefined || Object.keys(problems).length > 0) {
    visit.response.status(422);
    askFor(deps, visit, typed, problems);
    return;
  }
  const account = makesAccount ? typed.accountId : typed.environment;
  // Of an LMS that many institutions share, administrators see everybody's.
  const letIn = typed.letIn && (institution !== "" || makesAccount);
  try {
    const { invitation, url } = await inviteLms(
      { ...deps, ...visit.asOperator },
      {
        ...{ account, hours, letsAdministratorsIn: letIn },
        ...(institution === "" ? {} : { institution }),
        ...(makesAccount ? { newAccountName: nameOfNew(typed) } : {}),
      },
    );
    // Only in this answer: an address of its own would put the invitation into logs and histories.
    visit.show({
      view: invitedPage,
      title: t("console.invited.heading"),
      area: "invite",
      model: {
        ...{ url, environment: account, expiresAt: invitation.expiresAt },
        ...{ institution: institution === "" ? null : institution, letIn },
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.code !== "account-exists") throw thrown;
    visit.response.status(422);
    askFor(deps, visit, typed, { accountId: t("accounts.problems.exists") });
  }
}

function typedBy({ field }: Visit): TypedInvitation {
  return {
    institution: field("institution"),
    environment: field("environment"),
    accountId: field("accountId"),
    accountName: field("accountName"),
    letIn: field("letIn") === "on",
    hours: field("hours"),
  };
}

function nameOfNew({ accountName, institution }: TypedInvitation): string {
  return accountName === "" ? institution : accountName;
}

function problemsOf({ accounts }: ConsoleApp, { t }: Visit, typed: TypedInvitation): InvitationProblems {
  const problems: InvitationProblems = {};
  if (!offeredHours.some((one) => String(one) === typed.hours))
    problems.hours = t("console.add.problems.choose");
  if (typed.institution.length > maxNameCharacters)
    problems.institution = t("accounts.problems.too-long", { characters: maxNameCharacters });
  if (typed.environment !== newAccount) {
    const known = accounts.ids().includes(typed.environment);
    return known ? problems : { ...problems, environment: t("console.add.problems.choose") };
  }
  const read = readAccountName({ id: typed.accountId, name: nameOfNew(typed) });
  return "problems" in read ? { ...problems, ...ofAccount(problemWords(t, read.problems)) } : problems;
}

function ofAccount({ id, name }: AccountFieldProblems): InvitationProblems {
  return {
    ...(id === undefined ? {} : { accountId: id }),
    ...(name === undefined ? {} : { accountName: name }),
  };
}

function askFor(
  { accounts }: ConsoleApp,
  { show, t }: Visit,
  typed: TypedInvitation,
  problems: InvitationProblems,
): void {
  show({
    view: invitePage,
    title: t("console.invite.heading"),
    area: "invite",
    model: { environments: accounts.ids(), offeredHours, typed, problems },
  });
}
