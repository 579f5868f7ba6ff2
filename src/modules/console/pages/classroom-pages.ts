import { Router } from "express";
import { runDoctor, type RunDoctorDeps } from "../../operations/run-doctor.ts";
import { showClassroom, type ShowClassroomDeps } from "../../operations/show-classroom.ts";
import type { DoctorFinding } from "../../operations/rules/doctor-report.ts";
import { appUrlVariable } from "./app-url-variable.ts";
import type { Gate } from "./gate.ts";

export type ClassroomPagesDeps = ShowClassroomDeps & RunDoctorDeps;

/** The classroom's environments: how calls and webhooks stand, and the doctor. */
export function classroomPages(deps: ClassroomPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/classroom",
    gate.page(async ({ show, t, request }) => {
      const page = await showClassroom(deps);
      const { note } = request.query;
      show({
        view: "classroom",
        title: t("console.classroom.heading"),
        area: "classroom",
        values: {
          ...page,
          appUrlVariable,
          note: note === "asked" || note === "underWay" ? note : null,
          // What is wrong comes first: that is what the page is opened for.
          sorted: (findings: readonly DoctorFinding[]) =>
            findings.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level)),
        },
      });
    }),
  );
  router.post(
    "/classroom/doctor",
    gate.action(async ({ goTo }) => {
      const begun = await runDoctor(deps);
      goTo("/admin/classroom", begun === null ? "underWay" : "asked");
    }),
  );
  return router;
}

const levels: readonly DoctorFinding["level"][] = ["wrong", "note", "fine"];
