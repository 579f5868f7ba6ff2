import type { Router } from "express";
import type { AccountId } from "../../../domain/account.ts";
import { unknownCourse } from "../../privacy/erase.ts";
import {
  answerSpaceRequest,
  closeSpace,
  type ListedRequest,
  type ListedRight,
  listSpaces,
  withdrawSpace,
} from "../../spaces/decide-spaces.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, ofCourse, operatorsOnly, type OpenTo, type Visit } from "./gate.ts";
import { nameOfAccount } from "./in-words.ts";
import { consoleList } from "./list.ts";
import { doneNote, table } from "./list-view.ts";
import { chosen } from "./requests.ts";

const here = "/admin/spaces";
/** Messages under `console.spaces.notes`, each shown once. */
const spaceNotes = [
  "approved",
  "refused",
  "late",
  "operator",
  "closed",
  "ownOnly",
  "withdrawn",
  "closedNow",
] as const;

/** Spaces that this tool didn't make for a course: who wants which, who has which, and what is closed. */
export function spacesPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/spaces",
    area: "spaces",
    openTo: narrowed,
    read: () => ({}),
    rows: async ({ t, visit: { within } }) => {
      const { requests, given, closed } = await listSpaces(app, within);
      return {
        tables: [
          requestsTable(app, t, requests),
          givenTable(app, t, given, within === null),
          ...(closed.length === 0 ? [] : [closedTable(t, closed)]),
        ],
      };
    },
    around: ({ t, visit }) => {
      const note = visit.note(spaceNotes);
      const good = ["approved", "withdrawn", "refused", "closedNow"].some((one) => one === note);
      return {
        lead: t("console.spaces.lead"),
        done: doneNote(note === null ? null : t(`console.spaces.notes.${note}`), good ? "good" : "warning"),
      };
    },
  });
  const ofRequest: OpenTo = async ({ part }) =>
    (await app.spaceRequests.find(part("id")))?.registrationId ?? null;
  gate.routes(ofRequest, router).action("/spaces/requests/:id", async ({ part, field, by, within, goTo }) => {
    const answer = chosen(field("answer"), ["approve", "refuse"] as const);
    goTo(here, await answerSpaceRequest({ ...app, ...by }, part("id"), answer, within));
  });
  gate.routes(ofCourse(app), router).action("/courses/:id/spaces", async ({ part, field, by, goTo }) => {
    chosen(field("what"), ["withdraw"]);
    const course = await app.courses.find(part("id"));
    if (course === null) throw unknownCourse();
    const withdrawn = await withdrawSpace({ ...app, ...by }, course, field("space"));
    goTo(here, withdrawn ? "withdrawn" : "late");
  });
  gate.routes(operatorsOnly, router).action("/spaces/close", async ({ field, by, goTo }) => {
    const environment = chosen(field("environment"), app.accounts.ids());
    await closeSpace({ ...app, ...by }, { environment, spaceId: field("space") });
    goTo(here, "closedNow");
  });
  return router;
}

/** The account, if it isn't the usual one. */
function accountLine({ accounts }: ConsoleApp, t: Translate, environment: AccountId) {
  return environment === "production" ? null : nameOfAccount(t, accounts, environment);
}

function courseCell({ courseId, course, lms }: Pick<ListedRight, "courseId" | "course" | "lms">) {
  return [{ text: course, link: `/admin/courses/${courseId}` }, lms];
}

function requestsTable(app: ConsoleApp, t: Translate, rows: readonly ListedRequest[]) {
  const answer = (value: "approve" | "refuse", spaceId: string) => ({
    text: t(`console.spaces.${value}`),
    name: "answer",
    value,
    label: t("label.value", { label: t(`console.spaces.${value}`), value: spaceId }),
  });
  return table(
    {
      label: t("console.spaces.requests"),
      heading: t("console.spaces.requests"),
      lead: t("console.spaces.requestsText"),
      empty: t("console.spaces.noRequests"),
      rows,
    },
    ({ column, plain, act }) => [
      plain(t("console.courses.space"), ({ spaceId, environment }) => [
        { text: spaceId, code: true },
        accountLine(app, t, environment),
      ]),
      column(t("console.courses.course"), courseCell),
      column(t("console.spaces.asked"), ({ asker, askedAt: at }) => [
        asker ?? t("console.spaces.somebody"),
        { at },
      ]),
      act(t("console.spaces.decide"), ({ id, notOwn, spaceId }) => ({
        action: `/admin/spaces/requests/${id}`,
        ...(notOwn ? { text: t("console.spaces.ownOnly") } : {}),
        buttons: [...(notOwn ? [] : [answer("approve", spaceId)]), answer("refuse", spaceId)],
      })),
    ],
  );
}

function givenTable(app: ConsoleApp, t: Translate, rows: readonly ListedRight[], operator: boolean) {
  const label = (value: "withdraw" | "close", spaceId: string) =>
    t("label.value", { label: t(`console.spaces.${value}`), value: spaceId });
  return table(
    {
      label: t("console.spaces.given"),
      heading: t("console.spaces.given"),
      lead: t("console.spaces.givenText"),
      empty: t("console.spaces.noGiven"),
      rows,
    },
    ({ column, plain, act }) => [
      plain(t("console.courses.space"), ({ spaceId, environment, sharedWith, notOwn }) => [
        { text: spaceId, code: true },
        accountLine(app, t, environment),
        sharedWith.length === 0
          ? null
          : { text: t("console.spaces.shared", { lms: sharedWith.join(", ") }), pill: "bad" },
        notOwn ? { text: t("console.spaces.notEntered"), pill: "bad" } : null,
      ]),
      column(t("console.courses.course"), courseCell),
      column(t("console.spaces.why"), (right) => [howText(t, right), right.at > 0 ? { at: right.at } : null]),
      act(t("console.spaces.decide"), ({ courseId, environment, spaceId }) => ({
        action: `/admin/courses/${courseId}/spaces`,
        fields: { environment, space: spaceId },
        buttons: [
          {
            text: t("console.spaces.withdraw"),
            name: "what",
            value: "withdraw",
            label: label("withdraw", spaceId),
          },
          ...(operator
            ? [
                {
                  text: t("console.spaces.close"),
                  action: "/admin/spaces/close",
                  label: label("close", spaceId),
                },
              ]
            : []),
        ],
      })),
    ],
  );
}

function closedTable(t: Translate, rows: readonly { spaceId: string; closed: { at: number } | null }[]) {
  return table(
    {
      label: t("console.spaces.closed"),
      heading: t("console.spaces.closed"),
      lead: t("console.spaces.closedText"),
      rows,
    },
    ({ column, plain }) => [
      plain(t("console.courses.space"), ({ spaceId }) => ({ text: spaceId, code: true })),
      column(t("common.when"), ({ closed }) => (closed === null ? null : { at: closed.at })),
    ],
  );
}

function howText(t: Visit["t"], { way, decidedBy, through }: ListedRight): string {
  if (way === "approved") return t(`console.spaces.ways.${decidedBy ?? "operator"}`);
  return through === null
    ? t("console.spaces.ways.provenGone")
    : t("console.spaces.ways.proven", { course: through });
}
