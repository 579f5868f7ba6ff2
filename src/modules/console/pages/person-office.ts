import type { Person } from "../../../domain/course.ts";
import { joinEverywhere, separateEverywhere } from "../../attendance/join-accounts.ts";
import { excusePerson, showExcuses, takeBackExcuse } from "../../attendance/office-excuses.ts";
import { oneLine } from "../../attendance/pages/register-form.ts";
import { maxReasonLength } from "../../attendance/rules/words.ts";
import { findPerson } from "../../privacy/erase.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { GatedRoutes, Visit } from "./gate.ts";

type Change = (
  by: ConsoleApp & Visit["asOperator"],
  person: Person,
  field: Visit["field"],
) => Promise<unknown>;

/** What an office does on a person's page: excuses them, and joins their accounts. */
export function addOfficeRoutes(app: ConsoleApp, { action }: Pick<GatedRoutes, "action">): void {
  const route = (path: string, note: string, change: Change) => {
    action(`/people/:id/${path}`, async ({ part, field, goTo, asOperator }) => {
      const person = await findPerson(app, { personId: part("id") });
      await change({ ...app, ...asOperator }, person, field);
      goTo(`/admin/people/${person.id}`, note);
    });
  };
  route("excuse", "excused", (by, person, field) => {
    const typed = { from: field("from"), to: field("to"), reason: oneLine(field("reason")) };
    return excusePerson(by, person, typed);
  });
  route("take-back", "excuseTakenBack", (by, person, field) => takeBackExcuse(by, person, field("excuse")));
  route("join", "joined", (by, person, field) => joinEverywhere(by, person, field("sub")));
  route("separate", "separated", separateEverywhere);
}

/** An office's excuses of a person, and the accounts it joined with theirs. */
export async function officeView(app: ConsoleApp, t: Translate, person: Person) {
  const { id, registrationId } = person;
  const [excuses, joins] = await Promise.all([
    showExcuses(app, person),
    app.officeJoins.listOf(registrationId, [id]),
  ]);
  const others = await app.people.findMany(
    joins.map(({ personId, joinedTo }) => (personId === id ? joinedTo : personId)),
  );
  const now = joins.find(({ personId }) => personId === id)?.joinedTo ?? null;
  return {
    excuses: excuses.map(({ id: excuse, from, to, reason, by, effect }) => ({
      ...{ id: excuse, days: from === to ? from : `${from} – ${to}`, reason, by },
      effect:
        effect === null
          ? null
          : [
              t("office.excuses.effect", numbersOf(t, effect)),
              ...(effect.marked + effect.attended > 0
                ? [t("office.excuses.left", numbersOf(t, effect))]
                : []),
            ],
    })),
    accounts: others.map((other) => ({
      id: other.id,
      name: other.name ?? t("privacy.nameless"),
      sub: other.sub,
      label: t(other.id === now ? "office.join.now" : "office.join.earlier"),
    })),
    /** This is an earlier account. */
    isJoined: now !== null,
    maxReasonLength,
  };
}

function numbersOf<Name extends string>(
  t: Translate,
  counts: Readonly<Record<Name, number>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries<number>(counts).map(([name, count]) => [name, numberText(t, count)]),
  );
}
