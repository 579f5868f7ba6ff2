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
  /** Its address, with its query. */
  id: string;
  label: string;
  /** 0: the column has no points, so nothing counts there. Null: missing or unreadable. */
  scoreMaximum: number | null;
  resourceId: string | null;
  tag: string | null;
  resourceLinkId: string | null;
};

export type LineItemsTarget = { registration: Registration; lineItemsUrl: string; scopes: readonly string[] };

type NewLineItem = {
  /** Cut to the length that the LMS accepts. */
  label: string;
  scoreMaximum: number;
  resourceId?: string;
  tag?: string;
  /** The link that the column belongs to, for an LMS that shows only such columns. Left out for a separate column. */
  resourceLinkId?: string;
  /** The time of its session, sent only to LMSs that can use it. */
  dates?: SessionDates;
};

export type LineItems = ReturnType<typeof createLineItems>;

type LineItemChange = Partial<Pick<NewLineItem, "label" | "scoreMaximum" | "tag" | "dates">>;

const oneItem = "application/vnd.ims.lis.v2.lineitem+json";
const manyItems = "application/vnd.ims.lis.v2.lineitemcontainer+json";

/** The label, cut to the LMS's length without splitting a character. */
function shortLabel(registration: Registration, label: string): string {
  return cutTo(label, productOf(registration).columns.maxLabelLength);
}

/** Statuses with which an LMS may refuse the link of a new column (AGS 2.0, 3.2.4: 404 for an unknown link). */
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

/** The line item service (AGS 2.0, section 3.2). Media types must be exact, because Moodle answers 400 to others. */
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
     * All of the tool's columns in the course that match the filter; complete, or an error. Leaves out an item on another host, unless it
     * has
     * our mark. @throws NamedError "line-item-elsewhere" (temporary)
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
    /** @throws NamedError "line-item-elsewhere" (temporary) when the LMS creates it on another host. */
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
    /** Deletes one of our columns with all its grades. Succeeds if it is gone already. @throws NamedError */
    remove: async (target: Omit<LineItemsTarget, "lineItemsUrl">, lineItemUrl: string) => {
      const reply = await calls.call(authorized(target, [scope.lineItem]), {
        method: "DELETE",
        url: lineItemUrl,
      });
      const isGone = reply.status === 404 || reply.status === 410;
      if (isGone || (reply.status >= 200 && reply.status <= 204)) return;
      throw refusedBy(reply, "a grade column to be removed", clock.now());
    },
    /**
     * Reads the column and writes all of it back with the change, because PUT replaces and doesn't merge (AGS 3.2.5).
     * @param change The change, or a function of the column that was read. Null or an empty change writes nothing.
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
      // 204 and an empty 200 mean "stored as you sent it".
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

/** Leaves out an item without a usable address, and a foreign item on another host. */
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
 * An item at an address that we may call, or null for a foreign one. We send the access token to an item's address, so it must have the
 * origin of the list, which the LMS signed in a launch. An LMS behind a proxy may call itself http; that counts as the same origin.
 * @throws NamedError "line-item-elsewhere" (temporary) when an item with our mark is elsewhere. Ignoring it would create a second
 * column.
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
