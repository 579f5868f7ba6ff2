import { isOurResourceId } from "../modules/grading/rules/column.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";

/** What an LMS says of a line item's place and mark. */
type Told = { id: string; resourceId: string | null };

/**
 * A line item as it may be asked for, or null when it is a stranger's. The access token goes where an item's address
 * leads, so that has to be the origin of the list, which the LMS signed in a launch. An LMS behind a proxy that speaks
 * http with it may say http of itself: that is taken as the list's origin.
 * @throws NamedError "line-item-elsewhere" (temporary) when an item that has our mark is elsewhere; to leave it out would
 * make a second column
 */
export function atListsHost<T extends Told>(item: T, lineItemsUrl: string): T | null {
  const list = new URL(lineItemsUrl);
  const url = new URL(item.id);
  if (url.origin === list.origin) return item;
  if (url.host === list.host && url.protocol === "http:") {
    url.protocol = list.protocol;
    return { ...item, id: url.href };
  }
  if (isOurResourceId(item.resourceId)) throw elsewhere(url.host, list.host);
  return null;
}

/** @throws NamedError "line-item-elsewhere" (temporary) when a column that was just made is on another host */
export function madeAtListsHost<T extends Told>(item: T, lineItemsUrl: string): T {
  const there = atListsHost(item, lineItemsUrl);
  if (there === null) throw elsewhere(new URL(item.id).host, new URL(lineItemsUrl).host);
  return there;
}

function elsewhere(itemHost: string, listHost: string): NamedError {
  return refusal("line-item-elsewhere", { status: 502, temporary: true, details: { itemHost, listHost } });
}
