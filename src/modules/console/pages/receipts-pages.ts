import type { Router } from "express";
import { z } from "zod";
import { isAccountId } from "../../../domain/account.ts";
import {
  countReceipts,
  listUnknownWebhooks,
  otherFamilies,
  type ReceiptFilter,
  replayReceipt,
  replayReceipts,
} from "../../../inbox/find-receipts.ts";
import { type ReceiptState, receiptStates } from "../../../inbox/rules/receipt.ts";
import { knownFamilies, noFamily } from "../../../inbox/rules/webhook.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { dayMs, minuteMs } from "../../../kernel/clock.ts";
import { courseName } from "../../courses/rules/course.ts";
import {
  type ListedReceipt,
  listReceipts,
  maxCount,
  type ReceiptDetails,
  showReceipt,
} from "../../operations/background-work.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate } from "./gate.ts";
import { countText, nameOfAccount, receiptTones } from "./in-words.ts";
import { type ListContext, consoleList } from "./list.ts";
import { type Cell, choices, type ListFrame, table } from "./list-view.ts";
import type { ConsoleFrame } from "./partials.ts";
import { orNull, typedText } from "./requests.ts";

// Kept as typed, because ignoring an unreadable time would find and process more.
const moment = typedText(40);
const queryShape = z.object({
  state: z.enum(["", ...receiptStates]).catch(""),
  environment: z
    .string()
    .catch("")
    .transform((typed) => (isAccountId(typed) ? typed : "")),
  family: typedText(),
  code: typedText(),
  text: typedText(),
  from: moment,
  to: moment,
});

/** An empty text doesn't filter. Times are UTC, as typed. */
type ReceiptQuery = z.infer<typeof queryShape>;

/** Every webhook, and processing all that match again. For operators only. */
export function receiptsPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  router.use(receiptsList(app, gate));
  page("/receipts/:id", async ({ part, note, show, t }) => {
    const receipt = await showReceipt(app, part("id"));
    show({
      view: receiptPage,
      title: t("inbox.receipt.heading"),
      area: "receipts",
      model: {
        receipt,
        tone: receiptTones[receipt.state],
        why: whyText(t, receipt),
        now: app.clock.now(),
        note: note(["replayed", "busy"]),
      },
    });
  });
  action("/receipts/:id/replay", async ({ part, goTo, by }) => {
    const id = part("id");
    goTo(`/admin/receipts/${id}`, (await replayReceipt({ ...app, ...by }, id)) ? "replayed" : "busy");
  });
  return router;
}

function receiptsList(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/receipts",
    area: "receipts",
    read: (given) => queryShape.parse(given),
    rows: async ({ t, query, cursor }) => {
      const wrong = wrongTimes(query);
      const { receipts, next } =
        wrong.length === 0 ? await listReceipts(app, filterOf(query), cursor) : { receipts: [], next: null };
      return { tables: [receiptsTable(app, t, receipts)], next, wrong: wrongText(t, wrong) };
    },
    around: (context, { next }) => aroundReceipts(app, context, next),
    file: "webhooks",
    forAll: {
      path: "/receipts/replay",
      texts: (t) => ({
        offer: t("inbox.receipts.all"),
        heading: t("inbox.replay.heading"),
        what: t("inbox.replay.what"),
        button: t("inbox.receipt.button"),
      }),
      found: (t, { atLeast, ...found }) => t(atLeast ? "inbox.replay.atLeast" : "inbox.replay.count", found),
      facts: ({ t, query }) =>
        Object.entries(query).map(([name, value]) => ({
          name: t.dynamic(`inbox.filter.${name}`) ?? name,
          value: value === "" ? "" : askedText(t, name, value),
        })),
      count: ({ query, cursor: from }) => countReceipts(app, filterOf(withState(query)), { from }),
      run: async ({ query, cursor: from, visit: { by } }) => {
        const filter = filterOf(withState(query));
        const { replayed, busy, next } = await replayReceipts({ ...app, ...by }, filter, { from });
        return { outcome: { replayed, busy }, next };
      },
    },
  });
}

async function aroundReceipts(
  app: ConsoleApp,
  { t, query, at, outcome, rest }: ListContext<ReceiptQuery>,
  next: string | null,
): Promise<ListFrame> {
  const isFirst = Object.values(query).every((one) => one === "");
  const count = (state: ReceiptState) => app.receipts.countUpTo(state, maxCount + 1);
  const [counts, unknown] = await Promise.all([
    Promise.all(receiptStates.map(async (state) => ({ state, count: await count(state) }))),
    listUnknownWebhooks(app),
  ]);
  const failed = counts.find(({ state, count }) => state === "failed" && count > 0);
  const none = isFirst ? "inbox.receipts.none" : "inbox.receipts.notFound";
  const [replayed, busy] = [outcome("replayed"), outcome("busy") ?? 0];
  const busyText = busy === 0 ? "" : ` ${t("inbox.receipts.busy", { count: busy })}`;
  const any = t("inbox.any");
  const field = (name: "state" | "environment" | "family") =>
    [name, t(`inbox.filter.${name}`), query[name]] as const;
  const families = [...knownFamilies, otherFamilies, noFamily];
  return {
    lead: t("inbox.receipts.lead"),
    done:
      replayed === null
        ? null
        : { tone: "good", text: t("inbox.receipts.replayed", { count: replayed }) + busyText, more: rest },
    notes: [
      failed === undefined || query.state === "failed"
        ? null
        : {
            tone: "bad",
            text: "",
            more: {
              text: t("inbox.receipts.dead", { number: countText(t, failed.count) }),
              link: at({ state: "failed" }),
            },
          },
      unknown.length === 0
        ? null
        : {
            tone: "",
            text: "",
            more: {
              text: t("inbox.unknown.link", { number: numberText(t, unknown.length) }),
              link: "/admin/receipts/unknown",
            },
          },
    ],
    chips: counts.map(({ state, count }) => ({
      text: t(`inbox.states.${state}`),
      count: countText(t, count),
      link: at({ state }),
      current: state === query.state,
    })),
    filter: {
      fields: [
        choices(field("state"), receiptStates, (one) => t(`inbox.states.${one}`), any),
        choices(field("environment"), app.accounts.ids(), (id) => nameOfAccount(t, app.accounts, id), any),
        choices(field("family"), families, (one) => familyText(t, one), any),
        { name: "text", label: t("inbox.filter.text"), value: query.text },
        ...timeFields(t, query, wrongTimes(query)),
      ],
      hidden: { code: query.code },
      hint: t("inbox.times.hint"),
    },
    empty: t(next !== null ? "inbox.receipts.further" : none),
    forAll: query.state !== "",
  };
}

function wrongText(t: Translate, wrong: readonly WrongTime[]) {
  const fields = wrong.map(({ name, why }) => ({
    name,
    text: t("label.value", { label: t(`inbox.filter.${name}`), value: t(`inbox.times.${why}`) }),
  }));
  return wrong.length === 0 ? null : { text: t("inbox.times.wrong"), fields };
}

/** What happened, the person and the outcome. Receipts with the same reason are listed together. */
function receiptsTable(app: ConsoleApp, t: Translate, receipts: readonly ListedReceipt[]) {
  const whose = ({ course, session, person, waitsFor }: ListedReceipt): Cell => {
    const link = course === null ? {} : { link: `/admin/courses/${course.id}` };
    const subject = course === null ? null : { text: courseName(course), ...link };
    return [
      subject ?? (waitsFor == null ? null : { text: waitsFor, code: true }),
      session,
      person === null ? null : { text: person, quiet: true },
    ];
  };
  return table(
    {
      label: t("console.areas.receipts"),
      rows: receipts,
      cause: { head: t("console.spaces.why"), of: (one) => (one.state === "done" ? null : whyText(t, one)) },
    },
    ({ plain }) => [
      plain(t("inbox.receipts.arrived"), ({ id, receivedAt }) => ({
        at: receivedAt,
        link: `/admin/receipts/${id}`,
      })),
      plain(t("common.what"), ({ family, event, environment }) => [
        { text: familyText(t, family), code: true },
        event === "" ? null : { text: event, code: true },
        nameOfAccount(t, app.accounts, environment),
      ]),
      plain(t("inbox.receipts.whose"), whose),
      plain(t("inbox.filter.state"), ({ state }) => ({
        text: t(`inbox.states.${state}`),
        pill: receiptTones[state],
      })),
    ],
  );
}

type WrongTime = { name: "from" | "to"; why: "unreadable" | "order" };

/** "order": the times leave nothing in between. */
function wrongTimes(query: Pick<ReceiptQuery, "from" | "to">): WrongTime[] {
  const moments = { from: typedMoment(query.from), to: typedMoment(query.to) };
  const unreadable = (["from", "to"] as const).filter((name) => query[name] !== "" && moments[name] === null);
  if (unreadable.length > 0) return unreadable.map((name) => ({ name, why: "unreadable" }));
  const { from, to } = moments;
  return from !== null && to !== null && from.from > to.to ? [{ name: "to", why: "order" }] : [];
}

/** @throws NamedError "times-unreadable" */
function filterOf(query: ReceiptQuery): ReceiptFilter {
  if (wrongTimes(query).length > 0) throw refusal("times-unreadable", { status: 400 });
  return {
    states: query.state === "" ? [] : [query.state],
    environment: orNull(query.environment),
    family: orNull(query.family),
    code: orNull(query.code),
    text: orNull(query.text),
    since: typedMoment(query.from)?.from ?? null,
    until: typedMoment(query.to)?.to ?? null,
  };
}

/** An empty field must not mean that everything is processed again. */
function withState(query: ReceiptQuery): ReceiptQuery {
  if (query.state !== "") return query;
  throw refusal("state-missing", { status: 400 });
}

const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/;

/** Reads a moment in UTC, null for anything else. Includes all of it: "to 10:15" that minute, "to 1 October" that day. */
export function typedMoment(text: string) {
  const [, date, minute, second] = written.exec(text) ?? [];
  if (date === undefined) return null;
  const whole = `${date}T${minute ?? "00:00"}:${second ?? "00"}`;
  const from = Date.parse(`${whole}Z`);
  // Some engines read "31 February" as a day in March.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(whole)) return null;
  const shortMs = second === undefined ? minuteMs : 1_000;
  const to = from + (minute === undefined ? dayMs : shortMs) - 1;
  const field = (at: number) => new Date(at).toISOString().slice(0, second === undefined ? 16 : 19);
  // Begin and end (ms, inclusive), and the text for a field for date and time.
  return { from, to, fromField: field(from), toField: field(to) };
}

/** Keeps what was typed, as plain text if a field for date and time couldn't show it. */
function timeFields(t: Translate, query: ReceiptQuery, wrong: readonly WrongTime[]) {
  return (["from", "to"] as const).map((name) => {
    const typed = typedMoment(query[name]);
    const value = typed?.[`${name}Field`] ?? query[name];
    return {
      name,
      value,
      label: t(`inbox.filter.${name}`),
      maxLength: 40,
      type: query[name] !== "" && typed === null ? ("text" as const) : ("datetime-local" as const),
      // For a value with seconds.
      step: value.length > 16 && typed !== null ? 1 : null,
      wrong: wrong.some((one) => one.name === name),
    };
  });
}

function askedText(t: Translate, name: string, value: string): string {
  if (name === "state") return t.dynamic(`inbox.states.${value}`) ?? value;
  if (name === "family") return familyText(t, value);
  return name === "from" || name === "to" ? value.replace("T", " ") : value;
}

function familyText(t: Translate, family: string): string {
  return family === otherFamilies || family === noFamily ? t(`inbox.families.${family}`) : family;
}

/** The reason in the reader's language if its code is known. */
function whyText(t: Translate, { reason, code }: Pick<ReceiptDetails, "reason" | "code">): string | null {
  if (reason === null || t("language.code") === "en" || code == null) return reason;
  return t.dynamic(`inbox.codes.${code}`) ?? reason;
}

export type ReceiptPage = ConsoleFrame & {
  receipt: ReceiptDetails;
  tone: Tone;
  why: string | null;
  now: number;
  note: "replayed" | "busy" | null;
};

const receiptPage = defineView<ReceiptPage>("admin/receipt");
