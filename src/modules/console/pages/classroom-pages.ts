import { Router } from "express";
import { runDoctor } from "../../operations/run-doctor.ts";
import { type ClassroomPage, showClassroom } from "../../operations/show-classroom.ts";
import { type AccountId, settingOf } from "../../../domain/account.ts";
import type { Priority } from "../../../classroom/waiting-line.ts";
import type { DoctorFinding, DoctorRun } from "../../operations/rules/doctor-report.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { findingInWords } from "./finding-in-words.ts";
import { nameOfAccount } from "./name-of-account.ts";
import type { Gate } from "./gate.ts";
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
        title: t("console.classroom.heading"),
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
