import type { ClassroomAlert } from "../../domain/classroom-alert.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { ClassroomAlertLists, PlacedAlert } from "../../storage/classroom-alert-lists.ts";
import type { EventStore } from "../../storage/event-store.ts";
import type { PagePlace } from "../../storage/latest-first.ts";
import { placeOfText, placeText } from "../operations/place-text.ts";

export type ListAllAlertsDeps = {
  alertLists: ClassroomAlertLists;
  events: Pick<EventStore, "findMany">;
  environments: readonly EnvironmentName[];
};

/** An alert that no course is told about. `event`: what is known of the session it is about; null when nothing is. */
export type StrayAlert = { alert: ClassroomAlert; event: Pick<ClassroomEvent, "title" | "startsAt"> | null };

/** One page. `next`: where it ended, when older ones have not been looked at. */
export type StrayAlerts = { alerts: readonly StrayAlert[]; next: string | null };

/** Alerts looked through for one page, of each environment, unless somebody says otherwise. */
const usualMost = 200;

/**
 * Alerts that name no session, or one of no course: nobody but operators sees them. Those that changed last first.
 * @param from Where the page before ended; null for the first one.
 */
export async function listStrayAlerts(
  deps: ListAllAlertsDeps,
  from: string | null,
  most = usualMost,
): Promise<StrayAlerts> {
  const after = placeOfText(from);
  const pages = await Promise.all(
    deps.environments.map((environment) => deps.alertLists.listLatest(environment, after, most)),
  );
  // Beyond the end of the shortest full page, other environments may have alerts in between.
  const ends = pages.flatMap((page) => (page.length < most ? [] : page.slice(-1)));
  const end = ends.map(({ place }) => place).toSorted(inOrder)[0] ?? null;
  const known = pages.map((page) =>
    end === null ? page : page.filter(({ place }) => inOrder(place, end) <= 0),
  );
  const found = (await Promise.all(known.map((page) => strays(deps, page)))).flat();
  const alerts = found
    .toSorted((one, other) => inOrder(one.place, other.place))
    .map(({ place: _place, ...stray }) => stray);
  return { alerts, next: end === null ? null : placeText(end) };
}

function inOrder(one: PagePlace, other: PagePlace): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

async function strays(
  deps: ListAllAlertsDeps,
  page: readonly PlacedAlert[],
): Promise<(StrayAlert & { place: PagePlace })[]> {
  const environment = page[0]?.alert.environment;
  if (environment === undefined) return [];
  const ids = page.flatMap(({ alert }) => (alert.eventId === null ? [] : [alert.eventId]));
  const known = ids.length === 0 ? [] : await deps.events.findMany(environment, [...new Set(ids)]);
  const eventOf = new Map(known.map((event) => [event.eventId, event]));
  return page.flatMap(({ alert, place }) => {
    const event = alert.eventId === null ? undefined : eventOf.get(alert.eventId);
    return event?.courseId == null ? [{ alert, event: event ?? null, place }] : [];
  });
}
