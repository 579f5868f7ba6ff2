import type { MoreOfList } from "../domain/list-pages.ts";
import { letOthersRun } from "../kernel/async.ts";
import type { Clock } from "../kernel/clock.ts";
import { slicesOf } from "../kernel/lists.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CallRequest, ClassroomCall } from "./classroom-call.ts";
import { type FailedCall, refused, unreadable } from "./classroom-errors.ts";
import type { Dialect, OperationName, RouteDialect } from "./dialect.ts";
import type { TemplateValues } from "./fill-template.ts";
import { askedByRoutes, type PageAsk } from "./page-ask.ts";
import { type ListPage, readPages, type ReadPages } from "./read-pages.ts";
import { flagAt, momentAt, pathsInside, readableList, textAt } from "./read-reply.ts";
import type { Priority } from "./permits.ts";

/** How many entries of a reply to read before other work gets a turn. */
const maxEntriesPerTurn = 100;

export type CallOptions = {
  priority: Priority;
  signal?: AbortSignal | undefined;
  /** Attempts of a repeatable request while the service fails; default: 4. */
  attempts?: number;
  /** Called and awaited each time before a request waits for the throttle. */
  onWait?: (() => void | Promise<void>) | undefined;
  /** Called and awaited after each permit, before sending. If it throws, nothing is sent and the call fails with that error. */
  onPermit?: (() => void | Promise<void>) | undefined;
};

/**
 * `from`: where an earlier reading stopped. `onPermit` is called for the first page only: everything read is at least as new as that
 * moment, and later reports are newer than earlier pages.
 */
export type ListOptions = CallOptions & { from?: MoreOfList | null };

export type ListReply<Entry> = Pick<ReadPages<Entry>, "entries" | "more" | "failure"> & {
  /** The service answered 404: it has no such list, or not the thing asked for. */
  missing?: true;
};

/** Makes calls and reads their replies by the dialect. Throws the errors of `ClassroomClient`. */
export function createReader(deps: {
  environment: { name: string; baseUrl: string };
  dialect: Dialect;
  call: ClassroomCall;
  clock: Pick<Clock, "now">;
  logger: Logger;
}) {
  const { environment, dialect, call, logger } = deps;

  const failed = (operation: OperationName, doing: string): FailedCall => ({
    operation,
    doing,
    environment: environment.name,
  });
  /** Where a field may be in an entry of a list. In a whole reply, it may also be inside the envelopes. */
  const placesInEntry = (operation: OperationName, field: string) =>
    dialect.operations[operation].reply[field] ?? [];
  const placesOf = (operation: OperationName, field: string) =>
    pathsInside(dialect.envelopes, placesInEntry(operation, field));

  /** Isn't repeated if the outcome is unknown. The reply must contain the id of what was created. */
  async function create(
    operation: OperationName,
    doing: string,
    values: TemplateValues,
    options: CallOptions,
    idField: string,
  ): Promise<{ id: string; reply: unknown; route: RouteDialect }> {
    const answer = await mustAnswer(operation, values, { ...options, doing, kind: "creation" });
    const { reply, route } = answer;
    const places = placesOf(operation, idField);
    const id = textAt(reply, places) ?? (places.includes("@location") ? answer.locatedId : null);
    if (id === null) throw unreadable(failed(operation, doing), idField, reply, true);
    return { id, reply, route };
  }

  async function mustAnswer(operation: OperationName, values: TemplateValues, request: CallRequest) {
    const answer = await call(operation, values, request);
    if (answer === null) throw refused(failed(operation, request.doing), 404, null);
    return answer;
  }

  /** Null for a 404. `text`, `moment` and `flag` read a field of the reply. */
  async function read(operation: OperationName, doing: string, values: TemplateValues, options: CallOptions) {
    const answer = await call(operation, values, { ...options, doing, kind: "reading" });
    if (answer === null) return null;
    const { reply } = answer;
    if (typeof reply !== "object" || reply === null)
      throw unreadable(failed(operation, doing), "JSON", reply, false);
    return {
      reply,
      text: (field: string) => textAt(reply, placesOf(operation, field)),
      moment: (field: string) => momentAt(reply, placesOf(operation, field)),
      flag: (field: string) => flagAt(reply, placesOf(operation, field)),
    };
  }

  /**
   * Reads a list page by page if it has pages (part 8: page sizes: not shown), with one call per page. Leaves out unreadable entries and logs
   * them. @param listOf Throws if a reply has no list. @returns null if there is no such list.
   */
  async function readAll<Entry>(
    operation: OperationName,
    doing: string,
    values: TemplateValues,
    { from = null, ...options }: ListOptions,
    listOf: (reply: unknown) => readonly unknown[],
    entryOf: (item: unknown) => { id: string; entry: Entry } | null,
  ): Promise<ReadPages<Entry> | null> {
    let isFirst = true;
    const page = async (ask: PageAsk | null): Promise<ListPage<Entry> | null> => {
      const { onPermit, ...others } = options;
      const request = isFirst ? { ...others, onPermit } : others;
      isFirst = false;
      const answer = await call(operation, values, { ...request, doing, kind: "reading", page: ask });
      if (answer === null) return null;
      const { reply, next } = answer;
      if (typeof reply !== "object" || reply === null)
        throw unreadable(failed(operation, doing), "JSON", reply, false);
      const list = listOf(reply);
      const entries: { id: string; entry: Entry }[] = [];
      // Each entry is searched for a hundred fields, and a reply may have tens of thousands of entries.
      for (const some of slicesOf(list, maxEntriesPerTurn)) {
        if (list.length > maxEntriesPerTurn) await letOthersRun();
        entries.push(...some.flatMap((item) => entryOf(item) ?? []));
      }
      return { reply, link: next, list, entries };
    };
    const named = askedByRoutes(dialect.operations[operation].routes);
    const { clock } = deps;
    const { baseUrl } = environment;
    const found = await readPages(
      { settings: dialect.pages, clock, baseUrl, keyParameter: dialect.apiKey.query, named },
      page,
      from,
    );
    if (found !== null && found.unreadable > 0)
      logger.warn({ operation, unreadable: found.unreadable }, "some entries of a reply are unreadable");
    if (found?.more != null) {
      const { why, read: seen, total } = found.more;
      logger.warn({ operation, why, read: seen, total }, "a list was not read completely");
    }
    return found;
  }

  /** @param idField The field that identifies an entry, so repeated entries are recognised. */
  async function readList<Entry>(
    operation: OperationName,
    doing: string,
    values: TemplateValues,
    options: ListOptions,
    entry: (item: unknown, places: (field: string) => string[]) => Entry | null,
    idField: string,
  ): Promise<ListReply<Entry>> {
    const places = (field: string) => placesInEntry(operation, field);
    const entryOf = (item: unknown) => {
      const one = entry(item, places);
      return one === null ? null : { id: textAt(item, places(idField)) ?? "", entry: one };
    };
    const listOf = (reply: unknown) => {
      const list = readableList(reply, placesOf(operation, "items"), (item) => entryOf(item) !== null);
      if (list === null) throw unreadable(failed(operation, doing), "a list", reply, false);
      if (list === "unreadable") throw unreadable(failed(operation, doing), "readable entries", reply, false);
      return list;
    };
    const found = await readAll(operation, doing, values, options, listOf, entryOf);
    if (found === null) return { entries: [], more: null, failure: null, missing: true };
    const { entries, more, failure } = found;
    return { entries, more, failure };
  }

  function means(operation: OperationName, value: string, text: string | null): boolean {
    const known = dialect.operations[operation].values[value] ?? [];
    return known.some((one) => one.toLowerCase() === text?.toLowerCase());
  }

  return { failed, placesOf, placesInEntry, create, mustAnswer, read, readAll, readList, means };
}
