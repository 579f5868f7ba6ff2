import type { Logger } from "../kernel/logger.ts";
import type { CallManner, ClassroomCall } from "./classroom-call.ts";
import { type FailedCall, refused, unreadable } from "./classroom-errors.ts";
import type { CallOptions } from "./call-options.ts";
import type { Dialect, OperationName, RouteDialect } from "./dialect.ts";
import type { TemplateValues } from "./fill-template.ts";
import { flagAt, momentAt, placesInside, readableList, textAt } from "./read-reply.ts";

/** Makes calls and looks into their replies at the places of the dialect; throws the errors of `ClassroomClient`. */
export function createReader(deps: {
  environment: { name: string };
  dialect: Dialect;
  call: ClassroomCall;
  logger: Logger;
}) {
  const { environment, dialect, call, logger } = deps;

  const failed = (operation: OperationName, doing: string): FailedCall => ({
    operation,
    doing,
    environment: environment.name,
  });
  /** In an entry of a list; in a whole reply the envelopes count too. */
  const placesInEntry = (operation: OperationName, field: string) =>
    dialect.operations[operation].reply[field] ?? [];
  const placesOf = (operation: OperationName, field: string) =>
    placesInside(dialect.envelopes, placesInEntry(operation, field));

  /** Makes something: never repeated blindly, and the reply must name what was made. */
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

  async function mustAnswer(operation: OperationName, values: TemplateValues, manner: CallManner) {
    const answer = await call(operation, values, manner);
    if (answer === null) throw refused(failed(operation, manner.doing), 404, null);
    return answer;
  }

  /** Reads one thing: null on 404; `field` finds a text in the reply. */
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

  /** Reads a list: entries without what `entry` needs are left out and counted in the log. */
  async function readList<Entry>(
    operation: OperationName,
    doing: string,
    values: TemplateValues,
    options: CallOptions,
    entry: (item: unknown, places: (field: string) => string[]) => Entry | null,
  ): Promise<Entry[]> {
    const found = await read(operation, doing, values, options);
    if (found === null) return [];
    const entryOf = (item: unknown) => entry(item, (field) => placesInEntry(operation, field));
    const items = readableList(found.reply, placesOf(operation, "items"), (item) => entryOf(item) !== null);
    if (items === null) throw unreadable(failed(operation, doing), "a list", found.reply, false);
    if (items === "unreadable")
      throw unreadable(failed(operation, doing), "readable entries", found.reply, false);
    const entries = items.flatMap((item) => entryOf(item) ?? []);
    if (entries.length < items.length) {
      logger.warn(
        { operation, unreadable: items.length - entries.length },
        "some entries of a reply are unreadable",
      );
    }
    return entries;
  }

  /** Whether a text is one of those that mean this value. */
  function means(operation: OperationName, value: string, text: string | null): boolean {
    const known = dialect.operations[operation].values[value] ?? [];
    return known.some((one) => one.toLowerCase() === text?.toLowerCase());
  }

  return { failed, placesOf, placesInEntry, create, mustAnswer, read, readList, means };
}
