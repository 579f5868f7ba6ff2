import { within } from "./places-within.ts";

/**
 * Part 8: page sizes: not shown. A list without any of these words is whole. A route may name the parameters itself:
 * {page}, {pageSize}, {offset} and {cursor} are known to every list.
 */
export type PagingSettings = {
  /** In everything around the list. */
  reply: {
    /** The next page's address or number. A Link header with rel=next counts too (RFC 8288). */
    next: string[];
    /** What to send for the next page. */
    cursor: string[];
    more: string[];
    /** Of this page, and the number of pages. */
    number: string[];
    pages: string[];
    /** Entries before this page, on a page, and in all. */
    offset: string[];
    size: string[];
    total: string[];
  };
  /**
   * The parameter of another page where no route names it; null: the reply's own name ("pageNumber"), or a next
   * cursor's without "next" ("nextCursor": "cursor").
   */
  ask: { number: string | null; offset: string | null; cursor: string | null };
  /** Of the first page. */
  first: number;
  /** {pageSize} in routes. */
  size: number;
  /** After this many pages or seconds a reading pauses and goes on later. */
  mostPages: number;
  mostSeconds: number;
};

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
