import { Router } from "express";
import { writeAudit } from "../../audit/write-audit.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type ConsoleSessionsPage = ConsoleFrame & {
  sessions: {
    id: string;
    /** E-mail address; null with the password, or from an LMS. */
    operator: string | null;
    /** The LMS whose administrator it is; null for others. */
    lms: string | null;
    beganAt: number;
    usedAt: number;
    own: boolean;
  }[];
  ended: boolean;
};

const consoleSessionsPage = defineView<ConsoleSessionsPage>("admin/console-sessions");

const maxShown = 200;

/** Who is logged in to the console. */
export function consoleSessionsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/sessions",
    gate.page(async ({ session, request, show, t }) => {
      const [live, registrations] = await Promise.all([
        deps.consoleSessions.listLive(deps.clock.now(), maxShown),
        deps.registrations.list(),
      ]);
      const names = new Map(registrations.map(({ id, name }) => [id, name]));
      show({
        view: consoleSessionsPage,
        title: t("console.logIns.heading"),
        area: "logIns",
        model: {
          sessions: live.map(({ id, operator, registrationId, beganAt, usedAt }) => ({
            ...{ id, operator, beganAt, usedAt, own: id === session.id },
            lms: registrationId === null ? null : (names.get(registrationId) ?? registrationId),
          })),
          ended: request.query["note"] === "ended",
        },
      });
    }),
  );
  router.post(
    "/sessions/:id/end",
    gate.action(async ({ part, by, goTo }) => {
      const row = await deps.consoleSessions.find(part("id"));
      if (row === null) throw refusal("no-such-console-page", { status: 404 });
      await deps.logIns.end(row.id);
      const done = { what: "console-session-ended", registrationId: row.registrationId } as const;
      await writeAudit({ ...deps, ...by }, { ...done, on: row.operator ?? row.right });
      goTo("/admin/sessions", "ended");
    }),
  );
  return router;
}
