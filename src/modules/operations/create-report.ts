import type { App } from "../../app.ts";
import { type OperatorReport, reportHealth } from "./report-health.ts";

/** The database, beside its stores. */
export type ReportedDatabase = {
  ping: () => Promise<void>;
  /** Its own clock (ms); null where it has none. */
  serverTime: () => Promise<number | null>;
};

type Facts = Parameters<typeof reportHealth>[0];

/** The operators' report; the database's clock is heard each time. */
export function createReport(
  deps: Omit<Facts, "ping" | "hearDatabase" | "silenceAlarmAfter"> & Pick<App, "config">,
  database: ReportedDatabase,
): () => Promise<OperatorReport> {
  const { clock, witnesses, config } = deps;
  return reportHealth({
    ...deps,
    ping: database.ping,
    silenceAlarmAfter: config.alarmNoWebhookHours * 3_600_000,
    hearDatabase: async () => {
      const askedAt = clock.now();
      const theirs = await database.serverTime();
      if (theirs === null) return;
      const who = "the database";
      witnesses.hear(who, { who, askedAt, answeredAt: clock.now(), theirs, grain: 1 });
    },
  });
}
