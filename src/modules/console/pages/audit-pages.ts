import type { Router } from "express";
import { refusal } from "../../../kernel/refusal.ts";
import { exportAudit, listAudit, writeAudit } from "../../audit/audit.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, operatorsOnly } from "./gate.ts";
import { consoleList } from "./list.ts";
import { doneNote, table } from "./list-view.ts";
import { sendFile } from "../../../web/answer.ts";

/** Newest first. */
export function auditPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/audit",
    area: "audit",
    openTo: narrowed,
    read: () => ({}),
    rows: async ({ t, cursor, visit: { within } }) => {
      const { entries, olderThan: next } = await listAudit(app, cursor, within);
      return {
        next,
        tables: [
          table({ label: t("console.areas.audit"), rows: entries }, ({ plain }) => [
            plain(t("common.what"), ({ what }) => t(`console.audit.what.${what}`)),
            plain(t("console.audit.on"), ({ on, registrationId }) =>
              registrationId === null ? on : { text: on, link: `/admin/registrations/${registrationId}` },
            ),
            plain(t("console.audit.who"), ({ operator, who }) => operator ?? t(`console.audit.where.${who}`)),
            plain(t("common.when"), ({ at }) => ({ at })),
          ]),
        ],
      };
    },
    around: ({ t, cursor, visit: { within } }) => ({
      lead: t("console.audit.lead"),
      form:
        within === null && cursor === null
          ? { action: "/admin/audit/export", buttons: [{ text: t("console.audit.export") }] }
          : null,
      empty: t("console.audit.none"),
    }),
  });
  const { action } = gate.routes(operatorsOnly, router);
  action("/audit/export", async ({ response, asOperator }) => {
    const file = { name: "audit-log.jsonl", type: "application/jsonl" };
    await sendFile(response, file, exportAudit({ ...app, ...asOperator }));
  });
  return router;
}

const maxListed = 200;

/** Logins to the console. */
export function consoleSessionsPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/sessions",
    area: "logIns",
    read: () => ({}),
    rows: async ({ t, visit: { session } }) => {
      const [rows, registrations] = await Promise.all([
        app.consoleSessions.listLive(app.clock.now(), maxListed),
        app.registrations.list(),
      ]);
      const names = new Map(registrations.map(({ id, name }) => [id, name]));
      const lmsOf = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
      return {
        tables: [
          table({ label: t("console.areas.logIns"), rows }, ({ column, plain, act }) => [
            plain(t("console.audit.who"), ({ operator, registrationId: lms }) => [
              operator ??
                t(lms === null ? "console.logIn.password" : "console.audit.where.lms-administrator"),
              lmsOf(lms),
            ]),
            column(t("console.logIns.since"), ({ beganAt: at }) => ({ at })),
            column(t("console.logIns.used"), ({ usedAt: at }) => ({ at })),
            act(t("console.logIns.end"), ({ id }) =>
              id === session.id
                ? t("console.logIns.own")
                : { action: `/admin/sessions/${id}/end`, buttons: [{ text: t("console.logIns.end") }] },
            ),
          ]),
        ],
      };
    },
    around: ({ t, visit: { note } }) => ({
      lead: t("console.logIns.lead"),
      done: doneNote(note(["ended"]) === null ? null : t("console.logIns.ended")),
    }),
  });
  const { action } = gate.routes(operatorsOnly, router);
  action("/sessions/:id/end", async ({ part, by, goTo }) => {
    const row = await app.consoleSessions.find(part("id"));
    if (row === null) throw refusal("no-such-console-page", { status: 404 });
    await app.logIns.end(row.id);
    const done = { what: "console-session-ended", registrationId: row.registrationId } as const;
    await writeAudit({ ...app, ...by }, { ...done, on: row.operator ?? row.right });
    goTo("/admin/sessions", "ended");
  });
  return router;
}
