import type { LineItem } from "../../lms/line-items.ts";

/** Whatever its name; a link's own first. @param taken Addresses of the course's other columns. */
export function markedLineItem(
  items: readonly LineItem[],
  resourceId: string,
  taken: ReadonlySet<string | null>,
): LineItem | null {
  const marked = markedLineItems(items, resourceId, taken);
  return marked.find((item) => item.resourceLinkId !== null) ?? marked[0] ?? null;
}

export function markedLineItems(
  items: readonly LineItem[],
  resourceId: string,
  taken: ReadonlySet<string | null>,
): LineItem[] {
  return items.filter((item) => item.resourceId === resourceId && !taken.has(item.id));
}
