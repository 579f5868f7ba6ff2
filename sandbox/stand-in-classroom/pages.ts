// From: assumed; document 8 shows no page sizes, the numbered manner is that of public programs.
import { z } from "zod";
import type { Turned } from "../assumptions.ts";
import type { Operations } from "./api-operations.ts";
import { Refusal } from "./refusal.ts";
import type { Spelling } from "./spellings.ts";

/** Pages of lists and their faults; the document shows neither (part 8: page sizes: not shown). */
const pagesSetting = z.object({
  manner: z.enum(["numbered", "page", "offset", "cursor", "next", "link"]),
  size: z.number().int().positive().default(25),
  /** "repeats": the first page again. "elsewhere": next page on another host. "lies": total too high. "shape", "fails": second page bad. */
  fault: z.enum(["repeats", "elsewhere", "lies", "shape", "fails"]).nullable().default(null),
});

type PagesSetting = z.infer<typeof pagesSetting>;
type Reply = { body: unknown; link: string | null };

export type Pages = ReturnType<typeof createPages>;
type Query = Readonly<Record<string, unknown>>;

const lists = new Map<keyof Operations, string>([
  ["findCohorts", "cohorts"],
  ["findEvents", "events"],
  ["readAttendance", "attendance"],
  ["readRecordings", "recordings"],
  ["readSessions", "sessions"],
]);
const record = z.record(z.string(), z.unknown());

/** Whole lists; 25 entries a page if that assumption is reversed, 100 as public programs read them. */
export function createPages(turned: Turned, spelling: Spelling) {
  const sizes = [...(turned.has("listsAreWhole") ? [25] : []), ...(spelling === "clients" ? [100] : [])];
  let setting = sizes[0] === undefined ? null : pagesSetting.parse({ manner: "numbered", size: sizes[0] });
  return {
    set: (wanted: z.input<typeof pagesSetting> | null): void => {
      setting = wanted === null ? null : pagesSetting.parse(wanted);
    },
    /** @param address The request's whole address. */
    cut: (operation: keyof Operations, reply: unknown, query: Query, address: URL): Reply => {
      const name = lists.get(operation);
      if (setting !== null && operation === "readCohort")
        return { body: cutPeople(reply, setting), link: null };
      if (setting === null || name === undefined) return { body: reply, link: null };
      const { [name]: entries, ...rest } = record.parse(reply);
      return pageOf(setting, { name, rest, all: z.array(z.unknown()).parse(entries) }, query, address);
    },
  };
}

/** A cohort lists at most a page of people, and their total number. */
function cutPeople(reply: unknown, { size }: PagesSetting): unknown {
  const cohort = record.parse(reply);
  const attendees = z.array(z.unknown()).parse(cohort.attendees);
  if (attendees.length <= size) return reply;
  return { ...cohort, attendees: attendees.slice(0, size), attendeeCount: attendees.length };
}

function pageOf(
  { manner, size, fault }: PagesSetting,
  { name, rest, all }: { name: string; rest: object; all: readonly unknown[] },
  query: Query,
  address: URL,
): Reply {
  const asked = asksFor(manner, size, query);
  if (asked > 0 && fault === "fails") throw new Refusal(500, "INTERNAL", "This page does not come.");
  if (asked > 0 && fault === "shape") return { body: { ok: true }, link: null };
  const from = fault === "repeats" ? 0 : asked;
  const page = all.slice(from, from + size);
  const total = all.length + (fault === null ? 0 : (untrue[fault] ?? 0));
  const next = asked + size < total ? nextAddress(address, asked + size, fault) : null;
  const words = {
    numbered: {
      results: page,
      pageNumber: Math.floor(from / size) + 1,
      pageSize: size,
      totalPages: Math.max(1, Math.ceil(total / size)),
      totalRecords: total,
    },
    page: { [name]: page, page: Math.floor(from / size) + 1, limit: size },
    offset: { [name]: page, offset: from, limit: size, total },
    cursor: {
      [name]: page,
      nextCursor: next === null ? null : `after-${asked + size}`,
      hasMore: next !== null,
    },
    next: { [name]: page, next },
    link: { [name]: page },
  };
  const link = next === null ? null : `<${address.href}>; rel="self", <${next}>; rel=next`;
  return { body: { ...rest, ...words[manner] }, link: manner === "link" ? link : null };
}

/** Number of entries in the total that do not exist. */
const untrue: Partial<Record<string, number>> = { lies: 10, repeats: 25_000 };

function nextAddress(address: URL, from: number, fault: PagesSetting["fault"]): string {
  const next = new URL(address);
  next.searchParams.set("from", String(from));
  if (fault === "elsewhere") next.hostname = next.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return next.href;
}

/** The first entry of the requested page. */
function asksFor(manner: PagesSetting["manner"], size: number, query: Query): number {
  const asked = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name.replaceAll("_", "").toLowerCase(), Number(value)]),
  );
  const number = { numbered: asked.pagenumber, page: asked.page }[manner === "page" ? "page" : "numbered"];
  if (manner === "numbered" || manner === "page") return ((number ?? 1) - 1) * size;
  if (manner === "cursor") return Number(/^after-(\d+)$/.exec(String(query.cursor))?.[1] ?? 0);
  return (manner === "offset" ? asked.offset : asked.from) ?? 0;
}
