import { within } from "./places-within.ts";

/**
 * How lists come in pages (part 8: page sizes: not shown). A list whose reply has none of these words is whole. A route may
 * also name the parameters of a page itself: {page}, {pageSize}, {offset} and {cursor} are known to every list.
 */
export type PagingSettings = {
  /** Where in a reply what is said about pages; looked for in everything that stands around the list. */
  reply: {
    /** The address of the next page, or its number. A Link header with rel=next counts like it (RFC 8288). */
    next: string[];
    /** What to send for the next page. */
    cursor: string[];
    /** Whether there is more. */
    more: string[];
    /** The number of this page, and of all pages. */
    number: string[];
    pages: string[];
    /** How many entries come before this page, on a page, and in all. */
    offset: string[];
    size: string[];
    total: string[];
  };
  /**
   * The parameter that asks for another page, where no route names it; null: what the reply calls it ("pageNumber"), a next
   * cursor without its "next" ("nextCursor": "cursor").
   */
  ask: { number: string | null; offset: string | null; cursor: string | null };
  /** The number of the first page. */
  first: number;
  /** What stands for {pageSize} in routes. */
  size: number;
  /** After so many pages, or seconds, a reading makes way for others and goes on later. */
  mostPages: number;
  mostSeconds: number;
};

/** What routes of lists call a page. */
export const pageValues = ["page", "pageSize", "offset", "cursor"];

const parts = [
  "pagination",
  "paging",
  "pageInfo",
  "page",
  "meta.pagination",
  "meta.page",
  "meta",
  "links",
  "_links",
];

/** What is taken for granted about pages unless a file says otherwise. */
export const pageManners: PagingSettings = {
  reply: {
    next: within(parts, ["next", "nextUrl", "nextLink", "nextPageUrl", "nextPage"]),
    cursor: within(parts, [
      "nextCursor",
      "nextPageToken",
      "nextToken",
      "continuationToken",
      "endCursor",
      "cursor",
    ]),
    more: within(parts, ["hasMore", "hasNext", "hasNextPage", "moreAvailable"]),
    number: ["page.number", ...within(parts, ["pageNumber", "currentPage", "pageNo", "page"])],
    pages: within(parts, ["totalPages", "pageCount", "numPages", "lastPage"]),
    offset: within(parts, ["offset", "skip"]),
    size: within(parts, ["pageSize", "perPage", "itemsPerPage", "limit"]),
    total: within(parts, [
      "totalRecords",
      "totalCount",
      "totalItems",
      "totalResults",
      "totalElements",
      "total",
    ]),
  },
  ask: { number: null, offset: null, cursor: null },
  first: 1,
  size: 100,
  mostPages: 40,
  mostSeconds: 60,
};
