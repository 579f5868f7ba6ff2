import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import type { PageCursor } from "../../storage/latest-first.ts";
import { type DeliveryFilter, findDeliveries, reasonOf } from "./find-deliveries.ts";
import { cursorOf, cursorText } from "./page-cursor.ts";

export type ListDeliveriesDeps = Pick<App, "deliveries" | "courses">;

/** `reason`: the code of why it is in its state. */
export type ListedDelivery = { delivery: Delivery; course: Course | null; reason: string | null };

const pageSize = 50;
const maxLooked = 5_000;

/** Latest tried first. @param from Where the page before ended; null for the first one. */
export async function listDeliveries(
  deps: ListDeliveriesDeps,
  filter: DeliveryFilter,
  from: string | null,
): Promise<{ rows: ListedDelivery[]; next: string | null }> {
  const listed: Delivery[] = [];
  let looked = 0;
  let next: PageCursor | null = null;
  for await (const { found, looked: some, cursor } of findDeliveries(deps, filter, cursorOf(from))) {
    listed.push(...found);
    looked += some;
    const last = listed.length > pageSize ? listed[pageSize - 1] : undefined;
    if (last !== undefined) next = { at: last.nextTryAt, id: last.id };
    else if (looked >= maxLooked) next = cursor;
    if (next !== null) break;
  }
  const rows = listed.slice(0, pageSize);
  const courses = new Map<string, Course | null>();
  for (const { courseId } of rows)
    if (!courses.has(courseId)) courses.set(courseId, await deps.courses.find(courseId));
  return {
    rows: rows.map((delivery) => ({
      delivery,
      course: courses.get(delivery.courseId) ?? null,
      reason: reasonOf(delivery),
    })),
    next: next === null ? null : cursorText(next),
  };
}
