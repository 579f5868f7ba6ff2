import type { AccountId } from "../../../domain/account.ts";
import { Router } from "express";
import type { ReceiptState } from "../../../inbox/rules/receipt.ts";
import { knownFamilies, noFamily } from "../../../inbox/rules/webhook-family.ts";
import {
  countReceiptStates,
  type ListedReceipt,
  listReceipts,
  type ShownReceipt,
  showReceipt,
} from "../../operations/background-work.ts";
import {
  countReceipts,
  listUnknownWebhooks,
  otherFamilies,
  replayReceipt,
  replayReceipts,
} from "../../../inbox/find-receipts.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate, Visit } from "./gate.ts";
import { addressWith, placeIn } from "./fields.ts";
import { countText, receiptTones } from "./in-words.ts";
import {
  filterOfQuery,
  type ReceiptQuery,
  receiptQueryOf,
  typedMoment,
  wrongTimes,
} from "./receipt-query.ts";
import type { ConsoleFrame } from "./partials.ts";

export type ReceiptsListPage = ConsoleFrame & {
  environments: readonly AccountId[];
  query: ReceiptQuery;
  times: ReturnType<typeof timesView>;
  wrong: { name: "from" | "to"; text: string }[];
  unknown: string | null;
  /** Whether this is the first page, and where that and the next one are. */
  first: boolean;
  firstPage: string;
  next: string | null;
  confirm: string;
  counts: { state: ReceiptState; count: string; some: boolean; link: string }[];
  families: readonly string[];
  named: (family: string) => string;
  receipts: (ListedReceipt & { why: string | null; tone: Tone })[];
  outcome: ReturnType<typeof outcomeOf>;
};

export type ReplayPage = ConsoleFrame & {
  query: ReceiptQuery;
  /** A page cursor; empty at the beginning. */
  place: string;
  matched: number;
  number: string;
  goOn: string | null;
  asked: { name: string; value: string }[];
  back: string;
};

export type ReceiptPage = ConsoleFrame & {
  receipt: ShownReceipt;
  tone: Tone;
  why: string | null;
  now: number;
  note: "replayed" | "busy" | null;
};

const receiptsPage = defineView<ReceiptsListPage>("admin/receipts");
const replayPage = defineView<ReplayPage>("admin/receipts-replay");
const receiptPage = defineView<ReceiptPage>("admin/receipt");

/** What became of each webhook, and processing them again. For operators only. */
export function receiptsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/receipts",
    gate.page((visit) => showList(deps, visit)),
  );
  router.get(
    "/receipts/replay",
    gate.page((visit) => askWhether(deps, visit)),
  );
  router.post(
    "/receipts/replay",
    gate.action(async ({ request, response, by }) => {
      const query = withState(receiptQueryOf(request.body));
      const go = { from: placeIn(request.body) };
      const { replayed, busy, next } = await replayReceipts({ ...deps, ...by }, filterOfQuery(query), go);
      const outcome = { replayed: String(replayed), busy: String(busy), rest: next ?? "" };
      response.redirect(303, addressWith("/admin/receipts", { ...query, ...outcome }));
    }),
  );
  router.get(
    "/receipts/:id",
    gate.page(async ({ part, request, show, t }) => {
      const receipt = await showReceipt(deps, part("id"));
      const { note } = request.query;
      show({
        view: receiptPage,
        title: t("inbox.receipt.heading"),
        area: "receipts",
        model: {
          receipt,
          tone: receiptTones[receipt.state],
          why: whyOf(t, receipt),
          now: deps.clock.now(),
          note: (["replayed", "busy"] as const).find((one) => one === note) ?? null,
        },
      });
    }),
  );
  router.post(
    "/receipts/:id/replay",
    gate.action(async ({ part, goTo, by }) => {
      const id = part("id");
      goTo(`/admin/receipts/${id}`, (await replayReceipt({ ...deps, ...by }, id)) ? "replayed" : "busy");
    }),
  );
  return router;
}

async function showList(deps: ConsoleApp, { request, response, show, t }: Visit): Promise<void> {
  const query = receiptQueryOf(request.query);
  const from = one(request.query["after"]);
  const wrong = wrongTimes(query);
  const [counts, unknown, { receipts, next }] = await Promise.all([
    countReceiptStates(deps),
    listUnknownWebhooks(deps),
    wrong.length === 0
      ? listReceipts(deps, filterOfQuery(query), from === "" ? null : from)
      : { receipts: [], next: null },
  ]);
  if (wrong.length > 0) response.status(400);
  show({
    view: receiptsPage,
    title: t("console.areas.receipts"),
    area: "receipts",
    model: {
      environments: deps.accounts.ids(),
      query,
      times: timesView(query, wrong),
      wrong: wrong.map(({ name, why }) => ({
        name,
        text: t("label.value", { label: t(`inbox.filter.${name}`), value: t(`inbox.times.${why}`) }),
      })),
      unknown: unknown.length === 0 ? null : numberText(t, unknown.length),
      first: from === "",
      firstPage: addressWith("/admin/receipts", query),
      next: next === null ? null : addressWith("/admin/receipts", { ...query, after: next }),
      confirm: addressWith("/admin/receipts/replay", query),
      counts: counts.map(({ state, count }) => ({
        state,
        count: countText(t, count),
        some: count > 0,
        link: addressWith("/admin/receipts", { ...query, state }),
      })),
      families: [...knownFamilies, otherFamilies, noFamily],
      named: (family: string) => familyText(t, family),
      receipts: receipts.map((receipt) => ({
        ...receipt,
        why: whyOf(t, receipt),
        tone: receiptTones[receipt.state],
      })),
      outcome: outcomeOf(request.query, query),
    },
  });
}

async function askWhether(deps: ConsoleApp, { request, show, t }: Visit): Promise<void> {
  const query = withState(receiptQueryOf(request.query));
  const from = placeIn(request.query);
  const { matched, next } = await countReceipts(deps, filterOfQuery(query), { from });
  const asked = Object.entries(query).filter(([, value]) => value !== "");
  show({
    view: replayPage,
    title: t("inbox.replay.heading"),
    area: "receipts",
    model: {
      query,
      place: from ?? "",
      matched,
      goOn: next === null ? null : replayLink(query, next),
      number: numberText(t, matched),
      asked: asked.map(([name, value]) => ({
        name: t.dynamic(`inbox.filter.${name}`) ?? name,
        value: askedText(t, name, value),
      })),
      back: addressWith("/admin/receipts", query),
    },
  });
}

function askedText(t: Translate, name: string, value: string): string {
  switch (name) {
    case "state":
      return t.dynamic(`inbox.states.${value}`) ?? value;
    case "family":
      return familyText(t, value);
    case "from":
    case "to":
      return value.replace("T", " ");
    default:
      return value;
  }
}

/** What was typed stays, as plain text where a field for date and time could not show it. */
function timesView(query: ReceiptQuery, wrong: ReturnType<typeof wrongTimes>) {
  return (["from", "to"] as const).map((name) => {
    const moment = typedMoment(query[name]);
    const value = moment === null ? query[name] : name === "from" ? moment.fromField : moment.toField;
    return {
      name,
      value,
      type: query[name] !== "" && moment === null ? "text" : "datetime-local",
      /** For a value with seconds. */
      step: value.length > 16 && moment !== null ? 1 : null,
      wrong: wrong.some((one) => one.name === name),
    };
  });
}

/** An empty field does not mean that everything is processed again. */
function withState(query: ReceiptQuery): ReceiptQuery {
  if (query.state !== "") return query;
  throw refusal("state-missing", { status: 400 });
}

function replayLink(query: ReceiptQuery, place: string): string {
  return addressWith("/admin/receipts/replay", { ...query, place });
}

function outcomeOf(query: Visit["request"]["query"], asked: ReceiptQuery) {
  const [replayed, busy, rest] = [one(query["replayed"]), one(query["busy"]), one(query["rest"])];
  if (!/^\d{1,9}$/.test(replayed) || !/^\d{1,9}$/.test(busy)) return null;
  return {
    replayed: Number(replayed),
    busy: Number(busy),
    goOn: rest === "" ? null : replayLink(asked, rest),
  };
}

function familyText(t: Translate, family: string): string {
  return family === otherFamilies || family === noFamily ? t(`inbox.families.${family}`) : family;
}

/** In the reader's language where its code is known. */
function whyOf(
  t: Translate,
  { reason, code }: { reason: string | null; code?: string | null },
): string | null {
  if (reason === null || t("language.code") === "en" || code == null) return reason;
  return t.dynamic(`inbox.codes.${code}`) ?? reason;
}

function one(value: unknown): string {
  return typeof value === "string" ? value : "";
}
