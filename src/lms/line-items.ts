import { z } from "zod";
import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { cutTo } from "../kernel/text.ts";
import { isOurResourceId } from "../modules/grading/rules/column.ts";
import { name, points, text } from "./claims.ts";
import type { SessionDates } from "./products/lms-product.ts";
import { productOf } from "./products/products.ts";
import { jsonOf, refusedBy, unreadable } from "./requester.ts";
import { gradeScopesFor, scopes as scope } from "./scopes.ts";
import { explainedRefusal, type ServiceCalls, withQuery } from "./service-calls.ts";

export type LineItem = {
  /** Its address, query included. */
  id: string;
  label: string;
  /** 0: the column has no points, so nothing counts there. Null: not named, or unreadable. */
  scoreMaximum: number | null;
  resourceId: string | null;
  tag: string | null;
  resourceLinkId: string | null;
};

export type LineItemsTarget = { registration: Registration; lineItemsUrl: string; scopes: readonly string[] };

type NewLineItem = {
  /** Cut to what the LMS takes. */
  label: string;
  scoreMaximum: number;
  resourceId?: string;
  tag?: string;
  /** The link to tie the column to, in an LMS that shows no others and takes it. Left out for a separate column. */
  resourceLinkId?: string;
  /** The session's time; sent only to LMSs with a good use for it. */
  dates?: SessionDates;
};

export type LineItems = ReturnType<typeof createLineItems>;

type LineItemChange = Partial<Pick<NewLineItem, "label" | "scoreMaximum" | "tag" | "dates">>;

const oneItem = "application/vnd.ims.lis.v2.lineitem+json";
const manyItems = "application/vnd.ims.lis.v2.lineitemcontainer+json";

/** Cut to the LMS's length, without splitting a character. */
function shortLabel(registration: Registration, label: string): string {
  return cutTo(label, productOf(registration).columns.maxLabelLength);
}

/** Answers to a new column that may be about the link it is tied to (AGS 2.0, 3.2.4: 404 for an unknown one). */
const refusesLink: readonly number[] = [400, 404, 422];

const lineItem = z.object({
  id: z.url({ protocol: /^https?$/ }),
  label: name,
  scoreMaximum: points.pipe(z.number().nonnegative()).nullable().catch(null),
  resourceId: text,
  tag: text,
  resourceLinkId: text,
});
const anyObject = z.record(z.string(), z.unknown());

/** The line item service (AGS 2.0, section 3.2). Media types are sent exactly: Moodle answers 400 to any other. */
export function createLineItems(deps: { calls: ServiceCalls; clock: Clock }) {
  const { calls, clock } = deps;
  const authorized = (target: Omit<LineItemsTarget, "lineItemsUrl">, needed: readonly string[]) => ({
    registration: target.registration,
    scopes: gradeScopesFor(target.scopes, needed),
  });

  const readWhole = async (target: Omit<LineItemsTarget, "lineItemsUrl">, url: string) => {
    const to = authorized(target, [scope.lineItem, scope.lineItemReadOnly]);
    const reply = await calls.call(to, { method: "GET", url, headers: { accept: oneItem } });
    if (reply.status !== 200) throw refusedBy(reply, "the grade column", clock.now());
    return parsedWith(anyObject, jsonOf(reply));
  };

  return {
    /**
     * All columns of the tool in the course that match the filter; complete or an error. An item on another host is left
     * out, or an error when it has our mark.
     * @throws NamedError "line-item-elsewhere" (temporary)
     */
    list: async (
      target: LineItemsTarget,
      filter: { resourceId?: string; resourceLinkId?: string; tag?: string } = {},
    ) => {
      const { pageSize } = productOf(target.registration).columns;
      const url = withQuery(target.lineItemsUrl, {
        resource_id: filter.resourceId,
        resource_link_id: filter.resourceLinkId,
        tag: filter.tag,
        limit: pageSize,
      });
      const to = authorized(target, [scope.lineItem, scope.lineItemReadOnly]);
      const request = { url, accept: manyItems, what: "the list of grade columns" };
      return calls.pages(to, request, (page) =>
        parsedWith(z.array(z.unknown()), page).flatMap((entry) => knownItem(entry, target.lineItemsUrl)),
      );
    },
    /** @throws NamedError "lms-not-found" when the column was deleted. */
    get: async (target: Omit<LineItemsTarget, "lineItemsUrl">, lineItemUrl: string) =>
      itemFrom({ ...(await readWhole(target, lineItemUrl)), id: lineItemUrl }),
    /** @throws NamedError "line-item-elsewhere" (temporary) when the LMS puts it on another host. */
    create: async (target: LineItemsTarget, { dates, resourceLinkId, ...item }: NewLineItem) => {
      const { dates: datesOf, showsTiedOnly } = productOf(target.registration).columns;
      const dateFields = dates === undefined ? {} : datesOf(dates);
      const body = { ...item, label: shortLabel(target.registration, item.label), ...dateFields };
      const post = (sent: object) =>
        calls.call(authorized(target, [scope.lineItem]), {
          method: "POST",
          url: target.lineItemsUrl,
          headers: { accept: oneItem, "content-type": oneItem },
          body: JSON.stringify(sent),
        });
      const ties = showsTiedOnly && resourceLinkId !== undefined;
      const tied = ties ? await post({ ...body, resourceLinkId }) : null;
      const reply = tied === null || refusesLink.includes(tied.status) ? await post(body) : tied;
      if (reply.status !== 201 && reply.status !== 200) {
        throw explainedRefusal(target.registration, reply, "a new grade column", clock.now());
      }
      const created = reply.text === "" ? {} : parsedWith(anyObject, jsonOf(reply));
      const location = reply.headers.get("location");
      const id = location === null ? null : (URL.parse(location, target.lineItemsUrl)?.href ?? null);
      return madeAtListsHost(itemFrom({ ...body, id, ...created }), target.lineItemsUrl);
    },
    /** Deletes a column of ours with all its grades; a missing one is no error. @throws NamedError */
    remove: async (target: Omit<LineItemsTarget, "lineItemsUrl">, lineItemUrl: string) => {
      const reply = await calls.call(authorized(target, [scope.lineItem]), {
        method: "DELETE",
        url: lineItemUrl,
      });
      const gone = reply.status === 404 || reply.status === 410;
      if (gone || (reply.status >= 200 && reply.status <= 204)) return;
      throw refusedBy(reply, "a grade column to be removed", clock.now());
    },
    /**
     * Reads the column and writes the whole back with the change: PUT replaces, it does not merge (AGS 3.2.5).
     * @param change Or a function of the column read; null, or nothing to write, leaves it as it is.
     */
    update: async (
      target: Omit<LineItemsTarget, "lineItemsUrl">,
      lineItemUrl: string,
      change: LineItemChange | ((present: LineItem) => Promise<LineItemChange | null>),
    ) => {
      const read = await readWhole(target, lineItemUrl);
      const present = itemFrom({ ...read, id: lineItemUrl });
      const changed = changedFields(target, typeof change === "function" ? await change(present) : change);
      if (Object.keys(changed).length === 0) return present;
      const whole = { ...read, ...changed };
      const reply = await calls.call(authorized(target, [scope.lineItem]), {
        method: "PUT",
        url: lineItemUrl,
        headers: { accept: oneItem, "content-type": oneItem },
        body: JSON.stringify(whole),
      });
      if (reply.status < 200 || reply.status > 204)
        throw refusedBy(reply, "a changed grade column", clock.now());
      // 204 and an empty 200 mean "as you sent it".
      const answered = reply.text === "" ? {} : parsedWith(anyObject, jsonOf(reply));
      return itemFrom({ ...whole, ...answered, id: lineItemUrl });
    },
  };
}

function changedFields(
  { registration }: Pick<LineItemsTarget, "registration">,
  change: LineItemChange | null,
): Record<string, unknown> {
  const { label, dates, ...rest } = change ?? {};
  return {
    ...rest,
    ...(label === undefined ? {} : { label: shortLabel(registration, label) }),
    ...(dates === undefined ? {} : productOf(registration).columns.dates(dates)),
  };
}

/** An item without a usable address is left out, and so is a stranger's on another host. */
function knownItem(entry: unknown, lineItemsUrl: string): LineItem[] {
  const parsed = lineItem.safeParse(entry);
  const item = parsed.success ? atListsHost(toLineItem(parsed.data), lineItemsUrl) : null;
  return item === null ? [] : [item];
}

function itemFrom(value: unknown): LineItem {
  return toLineItem(parsedWith(lineItem, value));
}

function toLineItem({ label, ...rest }: z.infer<typeof lineItem>): LineItem {
  return { ...rest, label: label ?? "" };
}

function parsedWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join("."));
  throw unreadable("a grade column", { details: { fields } });
}

type LineItemFacts = { id: string; resourceId: string | null };

/**
 * A line item, or null for a stranger's. The access token goes to an item's address, which must have the origin of the list,
 * which the LMS signed in a launch. An LMS behind a proxy may call itself http: that counts as the list's origin.
 * @throws NamedError "line-item-elsewhere" (temporary) when an item with our mark is elsewhere; leaving it out would
 * make a second column
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
function madeAtListsHost<T extends LineItemFacts>(item: T, lineItemsUrl: string): T {
  const moved = atListsHost(item, lineItemsUrl);
  if (moved === null) throw elsewhere(new URL(item.id).host, new URL(lineItemsUrl).host);
  return moved;
}

function elsewhere(itemHost: string, listHost: string): NamedError {
  return refusal("line-item-elsewhere", { status: 502, temporary: true, details: { itemHost, listHost } });
}
