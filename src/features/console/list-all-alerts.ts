import type { ClassroomAlert } from "../../domain/classroom-alert.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { ClassroomAlertLists } from "../../storage/classroom-alert-lists.ts";
import type { EventStore } from "../../storage/event-store.ts";

export type ListAllAlertsDeps = {
  alertLists: ClassroomAlertLists;
  events: Pick<EventStore, "findMany">;
  environments: readonly EnvironmentName[];
};

/** An alert that no course is told about. `event`: what is known of the session it is about; null when nothing is. */
export type StrayAlert = { alert: ClassroomAlert; event: Pick<ClassroomEvent, "title" | "startsAt"> | null };

/** One page. `next`: where it ended, when older ones have not been looked at. */
export type StrayAlerts = { alerts: readonly StrayAlert[]; next: number | null };

/** Alerts looked through for one page, of each environment. */
const lookedAt = 200;

/**
 * Alerts that name no session, or one of no course: nobody but operators sees them. Those that changed last first.
 * @param before Only those that changed before (ms); null for the latest.
 */
export async function listStrayAlerts(deps: ListAllAlertsDeps, before: number | null): Promise<StrayAlerts> {
  const pages = await Promise.all(
    deps.environments.map((environment) => deps.alertLists.listLatest(environment, before, lookedAt)),
  );
  // Beyond the end of the shortest full page, other environments may have alerts in between.
  const ends = pages.flatMap((page) => (page.length < lookedAt ? [] : [page.at(-1)?.changedAt ?? 0]));
  const next = ends.length === 0 ? null : Math.max(...ends);
  const alerts = await Promise.all(
    pages.map((page) =>
      strays(deps, next === null ? page : page.filter(({ changedAt }) => changedAt >= next)),
    ),
  );
  return { alerts: alerts.flat().sort((one, other) => other.alert.changedAt - one.alert.changedAt), next };
}

async function strays(deps: ListAllAlertsDeps, alerts: readonly ClassroomAlert[]): Promise<StrayAlert[]> {
  const environment = alerts[0]?.environment;
  if (environment === undefined) return [];
  const ids = alerts.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const known = ids.length === 0 ? [] : await deps.events.findMany(environment, [...new Set(ids)]);
  const eventOf = new Map(known.map((event) => [event.eventId, event]));
  return alerts.flatMap((alert) => {
    const event = alert.eventId === null ? undefined : eventOf.get(alert.eventId);
    return event?.courseId == null ? [{ alert, event: event ?? null }] : [];
  });
}
