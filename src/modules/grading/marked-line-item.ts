import type { LineItem } from "../../lms/line-items.ts";

/**
 * The line item that has our mark, whatever teachers call it now; a link's own before one that stands alone.
 * @param taken Addresses that belong to other columns of the course.
 */
export function markedLineItem(
  items: readonly LineItem[],
  resourceId: string,
  taken: ReadonlySet<string | null>,
): LineItem | null {
  const marked = markedLineItems(items, resourceId, taken);
  return marked.find((item) => item.resourceLinkId !== null) ?? marked[0] ?? null;
}

/** All line items that have our mark and belong to no other column. */
export function markedLineItems(
  items: readonly LineItem[],
  resourceId: string,
  taken: ReadonlySet<string | null>,
): LineItem[] {
  return items.filter((item) => item.resourceId === resourceId && !taken.has(item.id));
}
