import { within } from "./places-within.ts";

/**
 * Part 8: page sizes: not shown. A list without any of these words is whole. A next page's address is followed; other
 * pages are asked for where a route names how: {page}, {pageSize}, {offset} and {cursor} are known to every list.
 */
export type PagingSettings = {
  /** In everything around the list. */
  reply: {
    /** The next page's address. A Link header with rel=next counts too (RFC 8288). */
    next: string[];
    /** What to send for the next page as {cursor}. */
    cursor: string[];
    more: string[];
    /** The number of pages. */
    pages: string[];
    /** Entries on a page, and in all. */
    size: string[];
    total: string[];
  };
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
    pages: within(parts, ["totalPages", "pageCount", "numPages", "lastPage"]),
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
  first: 1,
  size: 100,
  mostPages: 40,
  mostSeconds: 60,
};
