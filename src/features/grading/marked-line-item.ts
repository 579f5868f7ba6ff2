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
  const marked = items.filter((item) => item.resourceId === resourceId && !taken.has(item.id));
  return marked.find((item) => item.resourceLinkId !== null) ?? marked[0] ?? null;
}
