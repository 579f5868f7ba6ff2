import { Router } from "express";
import type { Priority } from "../../../classroom/permits.ts";
import { type AccountId, settingOf } from "../../../domain/account.ts";
import { type ListedUnknown, listUnknownWebhooks } from "../../../inbox/find-receipts.ts";
import { noFamily } from "../../../inbox/rules/webhook-family.ts";
import { type ClassroomPage, runDoctor, showClassroom } from "../../operations/classroom-accounts.ts";
import type { DoctorRun } from "../../operations/rules/records.ts";
import type { DoctorFinding } from "../../operations/rules/set-up.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { addressWith } from "./fields.ts";
import type { Gate } from "./gate.ts";
import { findingInWords, nameOfAccount } from "./in-words.ts";
import type { ConsoleFrame } from "./partials.ts";

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

export function classroomPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/classroom",
    gate.page(async ({ show, t, request }) => {
      const page = await showClassroom(deps);
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
          parts: partsOf(deps, t, page.doctor),
        },
      });
    }),
  );
  router.post(
    "/classroom/doctor",
    gate.action(async ({ asOperator, goTo }) => {
      const begun = await runDoctor({ ...deps, ...asOperator });
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

/** Kinds that the document does not list. */
export type UnknownPage = ConsoleFrame & {
  kinds: (Pick<ListedUnknown, "eventType" | "environment" | "firstAt" | "lastAt"> & {
    /** As it came; null where it is no name. */
    name: string | null;
    words: string;
    count: string;
    link: string;
  })[];
};

const unknownPage = defineView<UnknownPage>("admin/unknown");

/** How many came, and where they are. For operators only. */
export function unknownPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/receipts/unknown",
    gate.page(async ({ show, t }) => {
      const kinds = await listUnknownWebhooks(deps);
      show({
        view: unknownPage,
        title: t("inbox.unknown.heading"),
        area: "receipts",
        model: {
          kinds: kinds.map(({ named, filedUnder, ...kind }) => ({
            ...kind,
            name: named && kind.family !== "" ? kind.family : null,
            words: t(named ? `inbox.families.${noFamily}` : "inbox.unknown.beyond"),
            count: numberText(t, kind.count),
            link: addressWith("/admin/receipts", { ...filedUnder, environment: kind.environment }),
          })),
        },
      });
    }),
  );
  return router;
}
