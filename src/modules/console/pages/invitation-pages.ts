import type { Router } from "express";
import type { AccountId } from "../../../domain/account.ts";
import type { Registration } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { ofEach } from "../../../kernel/lists.ts";
import { readAccountName } from "../../accounts/rules/account-input.ts";
import { inviteLms, declareSameLms } from "../../operations/change-registration.ts";
import { knownRegistration } from "../../registration/registrations.ts";
import { type NamedCourse, planSameLms, type SameLms } from "../../registration/same-lms.ts";
import { defineView } from "../../../web/view.ts";
import { type AccountFieldProblems, problemWords } from "./account-form.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate, Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";
import { orNull } from "./requests.ts";

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
/** Can't be an account's id, because it has capital letters. */
const newAccount = "NEW";
const maxNameCharacters = 80;

export function invitationPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  page("/invitations/new", (visit) => {
    const [environment = newAccount] = app.accounts.ids();
    const empty = { institution: "", accountId: "", accountName: "" };
    askFor(app, visit, { ...empty, environment, letIn: true, hours: usualHours }, {});
  });
  action("/invitations", (visit) => invite(app, visit));
  return router;
}

async function invite(app: ConsoleApp, visit: Visit): Promise<void> {
  const { t } = visit;
  const typed = typedBy(visit);
  const { institution } = typed;
  const problems = problemsOf(app, visit, typed);
  const makesAccount = typed.environment === newAccount;
  const hours = offeredHours.find((one) => String(one) === typed.hours);
  if (hours === undefined || Object.keys(problems).length > 0) {
    visit.response.status(422);
    askFor(app, visit, typed, problems);
    return;
  }
  const account = makesAccount ? typed.accountId : typed.environment;
  // Without an institution or a new account, its administrators could see everybody in an LMS that institutions share.
  const letIn = typed.letIn && (institution !== "" || makesAccount);
  try {
    const { invitation, url } = await inviteLms(
      { ...app, ...visit.asOperator },
      {
        account,
        hours,
        letsAdministratorsIn: letIn,
        ...(institution === "" ? {} : { institution }),
        ...(makesAccount ? { newAccountName: nameOfNew(typed) } : {}),
      },
    );
    // Shown only in this answer, because a page with its own address would put the invitation into logs and histories.
    visit.show({
      view: invitedPage,
      title: t("console.invited.heading"),
      area: "invite",
      model: {
        url,
        environment: account,
        expiresAt: invitation.expiresAt,
        institution: orNull(institution),
        letIn,
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.code !== "account-exists") throw thrown;
    visit.response.status(422);
    askFor(app, visit, typed, { accountId: t("accounts.problems.exists") });
  }
}

function typedBy({ field }: Visit): TypedInvitation {
  const texts = ofEach(["institution", "environment", "accountId", "accountName", "hours"], field);
  return { ...texts, letIn: field("letIn") === "on" };
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
    title: t("console.areas.invite"),
    area: "invite",
    model: { environments: accounts.ids(), offeredHours, typed, problems },
  });
}

export type SameLmsPage = ConsoleFrame & {
  registration: Pick<Registration, "id">;
  /** The chosen registration. Empty for none. */
  old: string;
  others: { id: string; label: string }[];
  problem: string | null;
  plan: ReturnType<typeof planView> | null;
};

const sameLmsPage = defineView<SameLmsPage>("admin/same-lms");

/** Declares that a registration is the same LMS as an earlier one, after showing the consequences. For operators. */
export function sameLmsPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  page("/registrations/:id/same-as", async (visit) => {
    const { old } = visit.request.query;
    await showPlan(app, visit, typeof old === "string" ? old : "");
  });
  action("/registrations/:id/same-as", async (visit) => {
    const old = visit.field("old");
    try {
      const { to } = await declareSameLms({ ...app, ...visit.asOperator }, visit.part("id"), old);
      visit.goTo(`/admin/registrations/${to.id}`, "sameLms");
    } catch (thrown) {
      if (!isAboutChoice(thrown)) throw thrown;
      await showPlan(app, visit, old);
    }
  });
  return router;
}

/** Shown next to the choice, so the operator can choose another registration. */
function isAboutChoice(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.code.startsWith("same-lms-");
}

async function showPlan(app: ConsoleApp, visit: Visit, old: string): Promise<void> {
  const { t, part } = visit;
  const registration = await knownRegistration(app.registrations, part("id"));
  const others = (await app.registrations.list()).filter(({ id }) => id !== registration.id);
  const known = others.some(({ id }) => id === old);
  const planned = known ? await planOrProblem(app, registration.id, old) : null;
  if (planned instanceof NamedError) visit.response.status(planned.status);
  visit.show({
    view: sameLmsPage,
    title: t("registration.sameLms.heading"),
    area: "registrations",
    model: {
      registration,
      old,
      others: others.map(({ id, name, clientId }) => ({ id, label: `${name} · ${clientId}` })),
      problem: planned instanceof NamedError ? planned.message : null,
      plan: planned === null || planned instanceof NamedError ? null : planView(planned),
    },
  });
}

async function planOrProblem(app: ConsoleApp, newId: string, oldId: string): Promise<SameLms | NamedError> {
  try {
    return await planSameLms(app, newId, oldId);
  } catch (thrown) {
    if (isAboutChoice(thrown)) return thrown;
    throw thrown;
  }
}

/** How many courses are named. The numbers count all. */
const maxNamed = 50;

function planView({ from, to, courseCount: kept, lastLaunchAt, ...courses }: SameLms) {
  const part = (what: "moved" | "replaced" | "conflicts") => ({
    what,
    count: courses[what].length,
    named: courses[what].slice(0, maxNamed).map(({ id, title }: NamedCourse) => ({ id, title: title || id })),
  });
  return {
    name: to.name,
    fresh: from.clientId,
    earlier: to.clientId,
    lastLaunchAt,
    kept,
    parts: [part("moved"), part("replaced"), part("conflicts")],
  };
}
