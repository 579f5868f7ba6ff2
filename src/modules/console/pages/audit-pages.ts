import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Response, Router } from "express";
import { refusal } from "../../../kernel/refusal.ts";
import { exportAudit, listAudit, writeAudit } from "../../audit/audit.ts";
import type { AuditEntry } from "../../audit/rules/audit.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

/** `olderThan`: the end of this page; null at the end of the log. */
export type AuditLogPage = ConsoleFrame & {
  entries: AuditEntry[];
  olderThan: string | null;
  first: boolean;
  /** Whether it is the whole log, which can be downloaded. */
  whole: boolean;
};

const auditLogPage = defineView<AuditLogPage>("admin/audit");

/** Newest first. */
export function auditPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/audit",
    gate.page(async ({ request, show, t, within }) => {
      const { before } = request.query;
      const from = typeof before === "string" && before !== "" ? before : null;
      const { entries, olderThan } = await listAudit(deps, from, within);
      show({
        view: auditLogPage,
        title: t("console.areas.audit"),
        area: "audit",
        model: { entries, olderThan, first: from === null, whole: within === null },
      });
    }, narrowed),
  );
  router.post(
    "/audit/export",
    gate.action(async ({ response, asOperator }) => {
      const file = { name: "audit-log.jsonl", type: "application/jsonl" };
      await sendFile(response, file, exportAudit({ ...deps, ...asOperator }));
    }),
  );
  return router;
}

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
        title: t("console.areas.logIns"),
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

/**
 * Written while it is read, so that a big one needs no memory. What fails before the first piece is thrown, for an
 * error page; what fails later breaks the file off.
 */
export async function sendFile(
  response: Response,
  { name, type }: { name: string; type: string },
  pieces: AsyncGenerator<string> | Generator<string>,
): Promise<void> {
  const first = await pieces.next();
  response.attachment(name);
  response.type(type);
  try {
    await pipeline(Readable.from(all(first, pieces), { objectMode: false }), response);
  } catch (thrown) {
    // Closing the window while a file comes is no error.
    if (!(thrown instanceof Error) || !("code" in thrown) || thrown.code !== "ERR_STREAM_PREMATURE_CLOSE")
      throw thrown;
  }
}

async function* all(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string> | Generator<string>,
) {
  if (first.done !== true) yield first.value;
  yield* rest;
}
