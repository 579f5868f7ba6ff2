import type { Router } from "express";
import type { Priority } from "../../../classroom/permits.ts";
import { type AccountId, settingOf } from "../../../domain/account.ts";
import { listUnknownWebhooks } from "../../../inbox/find-receipts.ts";
import { noFamily } from "../../../inbox/rules/webhook.ts";
import { runDoctor, showClassroom } from "../../operations/classroom-accounts.ts";
import type { DoctorFinding } from "../../operations/rules/set-up.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate, Visit } from "./gate.ts";
import { findingInWords, nameOfAccount } from "./in-words.ts";
import { consoleList } from "./list.ts";
import { table } from "./list-view.ts";
import type { PageOf } from "./partials.ts";
import { addressWith } from "./requests.ts";

export type ConsoleClassroomPage = PageOf<typeof classroomModel>;

const classroomPage = defineView<ConsoleClassroomPage>("admin/classroom");

const priorities: readonly Priority[] = ["entry", "instructor", "session", "background"];

export function classroomPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  page("/classroom", async (visit) => {
    const model = await classroomModel(app, visit);
    visit.show({ view: classroomPage, title: visit.t("console.areas.classroom"), area: "classroom", model });
  });
  action("/classroom/doctor", async ({ asOperator, goTo }) => {
    const begun = await runDoctor({ ...app, ...asOperator });
    goTo("/admin/classroom", begun === null ? "underWay" : "asked");
  });
  return router;
}

async function classroomModel(app: ConsoleApp, { t, note }: Visit) {
  const { environments, dialectFile, doctor, doctorState } = await showClassroom(app);
  const found = doctor?.found ?? null;
  return {
    environments,
    dialectFile,
    doctor,
    doctorState,
    appUrlVariable: (account: AccountId) => settingOf(account, "APP_URL"),
    note: note(["asked", "underWay"]),
    /** Most urgent first. */
    priorities,
    /** Since when the doctor has been at work (ms), or null. */
    runningSince: doctorState === "running" ? (doctor?.startedAt ?? null) : null,
    parts:
      found === null
        ? []
        : [
            { name: t("console.classroom.thisTool"), findings: findingsInWords(t, found.tool) },
            ...found.environments.map(({ environment, findings }) => ({
              name: nameOfAccount(t, app.accounts, environment),
              findings: findingsInWords(t, findings),
            })),
          ],
  };
}

/** What is wrong comes first. */
function findingsInWords(t: Translate, findings: readonly DoctorFinding[]): DoctorFinding[] {
  const sorted = findings.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
  return sorted.map((one) => findingInWords(t, one));
}

const levels: readonly DoctorFinding["level"][] = ["wrong", "note", "fine"];

/** Kinds of webhook that the document doesn't list: how many came, and where they are. */
export function unknownPages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/receipts/unknown",
    area: "receipts",
    title: (t) => t("inbox.unknown.heading"),
    read: () => ({}),
    rows: async ({ t }) => {
      const kinds = await listUnknownWebhooks(app);
      const nameOf = ({ named, family }: (typeof kinds)[number]) =>
        named && family !== ""
          ? { text: family, code: true as const }
          : { text: t(named ? `inbox.families.${noFamily}` : "inbox.unknown.beyond") };
      return {
        found: kinds.length,
        tables: [
          table({ label: t("inbox.unknown.heading"), rows: kinds }, ({ column, plain, end }) => [
            plain(t("inbox.unknown.kind"), (kind) => [
              {
                ...nameOf(kind),
                link: addressWith("/admin/receipts", { ...kind.filedUnder, environment: kind.environment }),
              },
              kind.eventType === "" ? null : { text: kind.eventType, code: true },
              nameOfAccount(t, app.accounts, kind.environment),
            ]),
            end(t("inbox.unknown.count"), ({ count }) => numberText(t, count)),
            column(t("inbox.unknown.first"), ({ firstAt: at }) => ({ at })),
            column(t("inbox.unknown.last"), ({ lastAt: at }) => ({ at })),
          ]),
        ],
      };
    },
    around: ({ t }, { found }) => ({
      lead: t("inbox.unknown.lead"),
      notes: [
        found === 0 ? null : { tone: "", text: `${t("inbox.unknown.look")} ${t("inbox.unknown.later")}` },
      ],
      empty: t("inbox.unknown.none"),
      below: [{ text: t("inbox.unknown.back"), link: "/admin/receipts" }],
    }),
  });
}
