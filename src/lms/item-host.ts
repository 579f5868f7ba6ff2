import { isOurResourceId } from "../modules/grading/rules/column.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";

type LineItemFacts = { id: string; resourceId: string | null };

/**
 * A line item, or null for a stranger's. The access token goes to an item's address, so that has the origin of the
 * list, which the LMS signed in a launch. An LMS behind a proxy may call itself http: that counts as the list's origin.
 * @throws NamedError "line-item-elsewhere" (temporary) when an item with our mark is elsewhere; leaving it out would
 *   make a second column
 */
export function atListsHost<T extends LineItemFacts>(item: T, lineItemsUrl: string): T | null {
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

/** @throws NamedError "line-item-elsewhere" (temporary) when a new column is on another host */
export function madeAtListsHost<T extends LineItemFacts>(item: T, lineItemsUrl: string): T {
  const there = atListsHost(item, lineItemsUrl);
  if (there === null) throw elsewhere(new URL(item.id).host, new URL(lineItemsUrl).host);
  return there;
}

function elsewhere(itemHost: string, listHost: string): NamedError {
  return refusal("line-item-elsewhere", { status: 502, temporary: true, details: { itemHost, listHost } });
}
