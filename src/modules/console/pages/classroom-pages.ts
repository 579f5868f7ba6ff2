import { Router } from "express";
import type { Priority } from "../../../classroom/permits.ts";
import { type AccountId, settingOf } from "../../../domain/account.ts";
import { listUnknownWebhooks } from "../../../inbox/find-receipts.ts";
import { noFamily } from "../../../inbox/rules/webhook-family.ts";
import { type ClassroomPage, runDoctor, showClassroom } from "../../operations/classroom-accounts.ts";
import type { DoctorRun } from "../../operations/rules/records.ts";
import type { DoctorFinding } from "../../operations/rules/set-up.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate } from "./gate.ts";
import { findingInWords, nameOfAccount } from "./in-words.ts";
import { consoleList } from "./list.ts";
import { table } from "./list-view.ts";
import type { ConsoleFrame } from "./partials.ts";
import { addressWith } from "./requests.ts";

export type ConsoleClassroomPage = ConsoleFrame &
  Pick<ClassroomPage, "environments" | "dialectFile" | "doctor" | "doctorState"> & {
    /** Most urgent first. */
    priorities: readonly Priority[];
    appUrlVariable: (environment: AccountId) => string;
    note: "asked" | "underWay" | null;
    /** Since when the doctor is at work (ms); null: it is not. */
    runningSince: number | null;
    parts: { name: string; findings: DoctorFinding[] }[];
  };

const classroomPage = defineView<ConsoleClassroomPage>("admin/classroom");

const priorities: readonly Priority[] = ["entry", "instructor", "session", "background"];

export function classroomPages(app: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/classroom",
    gate.page(async ({ show, t, request }) => {
      const page = await showClassroom(app);
      const { note } = request.query;
      show({
        view: classroomPage,
        title: t("console.areas.classroom"),
        area: "classroom",
        model: {
          ...page,
          appUrlVariable: (account) => settingOf(account, "APP_URL"),
          note: note === "asked" || note === "underWay" ? note : null,
          priorities,
          runningSince: page.doctorState === "running" ? (page.doctor?.startedAt ?? null) : null,
          parts: partsOf(app, t, page.doctor),
        },
      });
    }),
  );
  router.post(
    "/classroom/doctor",
    gate.action(async ({ asOperator, goTo }) => {
      const begun = await runDoctor({ ...app, ...asOperator });
      goTo("/admin/classroom", begun === null ? "underWay" : "asked");
    }),
  );
  return router;
}

function partsOf(
  { accounts }: ConsoleApp,
  t: Translate,
  doctor: DoctorRun | null,
): ConsoleClassroomPage["parts"] {
  if (doctor === null || doctor.found === null) return [];
  const { tool, environments } = doctor.found;
  return [
    { name: t("console.classroom.thisTool"), findings: shown(t, tool) },
    ...environments.map(({ environment, findings }) => ({
      name: nameOfAccount(t, accounts, environment),
      findings: shown(t, findings),
    })),
  ];
}

/** What is wrong comes first. */
function shown(t: Translate, findings: readonly DoctorFinding[]): DoctorFinding[] {
  const sorted = findings.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
  return sorted.map((one) => findingInWords(t, one));
}

const levels: readonly DoctorFinding["level"][] = ["wrong", "note", "fine"];

/** Kinds that the document does not list: how many came, and where they are. */
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
