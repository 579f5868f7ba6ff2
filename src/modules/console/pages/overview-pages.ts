import type { Router } from "express";
import type { AccountId } from "../../../domain/account.ts";
import {
  asHealth,
  type Health,
  healthLevels,
  linesPage,
  type LinesQuery,
} from "../../operations/rules/health.ts";
import {
  type AccountLine,
  countByHour,
  type LmsLine,
  maxOfHour,
  type Overview,
  showOverview,
} from "../../operations/show-overview.ts";
import { agoText } from "../../../web/course-times.ts";
import { durationText, numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { addressWith } from "./requests.ts";
import { alarmsView } from "./alarms-pages.ts";
import type { ConsoleApp } from "./console-session.ts";
import { countText, nameOfAccount } from "./in-words.ts";
import { barsOf } from "./usage-pages.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import type { PageOf } from "./partials.ts";
import { remembered } from "../../../kernel/async.ts";
import { cutTo } from "../../../kernel/text.ts";

export type OverviewPage = PageOf<typeof overviewModel>;

/** A number of what is stuck, details about it, the last 24 hours as bars, and the page behind it. */
type Tile = {
  what: "down" | "launches" | "refused" | "webhooks";
  path: string;
  value: string;
  lines: readonly string[];
  bars: ReturnType<typeof barsOf>["bars"];
  tone: "good" | "wait" | "bad";
};

type PerHour = Awaited<ReturnType<typeof countByHour>>;
type LinesView = ReturnType<typeof linesView>;
export type LinesTop = { t: Translate; label: string } & Pick<LinesView, "chips">;
export type LinesEnd = { t: Translate } & Pick<LinesView, "pager">;
export type LinesHeads = { t: Translate };
/** `scoresLink`: null if there is no page of these. */
export type LineCells = {
  t: Translate;
  line: ReturnType<typeof lmsView | typeof accountView>;
  scoresLink: string | null;
};

const overviewPage = defineView<OverviewPage>("admin/overview");

const tones: Readonly<Record<Health, Tone>> = {
  down: "bad",
  check: "wait",
  quiet: "none",
  good: "good",
  off: "free",
};
const pageSizes = { lms: 25, accounts: 10 } as const;
/** The other alarms are behind a link. */
const maxAlarms = 6;

/** The console's first page. For administrators of one LMS, this is that LMS's page. */
export function overviewPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page } = gate.routes(narrowed);
  const perHour = remembered({ clock: app.clock, minMs: 60_000 }, () => countByHour(app));
  page("/", async (visit) => {
    if (visit.within !== null) {
      visit.goTo(`/admin/registrations/${visit.within}`);
      return;
    }
    const model = await overviewModel(app, visit, await perHour());
    visit.show({ view: overviewPage, title: visit.t("console.areas.overview"), area: "overview", model });
  });
  return router;
}

type OverviewQuery = { find: string; lms: LinesQuery; accounts: LinesQuery };

async function overviewModel(app: ConsoleApp, { t, request }: Visit, perHour: PerHour) {
  const overview = await showOverview(app);
  const { alarms } = overview;
  const now = app.clock.now();
  const query = queryOf(request.query);
  const name = (id: AccountId) => nameOfAccount(t, app.accounts, id);
  const lms = linesPage(overview.lines, ({ registration }) => registration.name, query.lms);
  const accounts = linesPage(overview.accounts, ({ account }) => name(account.id), query.accounts);
  return {
    ...alarmsView(t, alarms.slice(0, maxAlarms)),
    /** How many alarms there are if not all fit, otherwise null. */
    moreAlarms: alarms.length > maxAlarms ? numberText(t, alarms.length) : null,
    /** No LMS is registered. */
    empty: overview.lines.length === 0,
    numbers: tilesOf(t, overview, perHour, now),
    typed: query.find,
    /** Stays the same when something else is typed. */
    carried: Object.entries(addressOf(query, {})).flatMap(([key, value]) =>
      key === "find" || value === "" ? [] : [{ name: key, value }],
    ),
    lms: { ...linesView(t, query, "lms", lms), rows: lms.rows.map((line) => lmsView(t, line, now)) },
    accounts: {
      ...linesView(t, query, "accounts", accounts),
      rows: accounts.rows.map((line) => accountView(t, line, name(line.account.id), now)),
    },
  };
}

function queryOf(query: Visit["request"]["query"]): OverviewQuery {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === "string" ? cutTo(value.trim(), 200) : "";
  };
  const page = (name: string) => Number(/^\d{1,4}$/.exec(text(name))?.[0] ?? 1);
  const find = text("find");
  const queryOf = (which: "lms" | "accounts") => ({
    typed: find,
    health: asHealth(text(which)),
    page: page(`${which}-page`),
    pageSize: pageSizes[which],
  });
  return { find, lms: queryOf("lms"), accounts: queryOf("accounts") };
}

/** The query of an address, with a change. */
function addressOf({ find, lms, accounts }: OverviewQuery, change: Readonly<Record<string, string>>) {
  const page = (number: number) => (number === 1 ? "" : String(number));
  return {
    find,
    lms: lms.health ?? "",
    "lms-page": page(lms.page),
    accounts: accounts.health ?? "",
    "accounts-page": page(accounts.page),
    ...change,
  };
}

/** The filter of a page of lines, and the links to other pages. */
function linesView(
  t: Translate,
  query: OverviewQuery,
  which: "lms" | "accounts",
  { counts, found, page, pages, first, last }: Omit<ReturnType<typeof linesPage>, "rows">,
) {
  const at = (change: Readonly<Record<string, string>>) =>
    `${addressWith("/admin", addressOf(query, change))}#${which === "lms" ? "lmss" : "accounts"}`;
  const { health } = query[which];
  const all = healthLevels.reduce((sum, one) => sum + counts[one], 0);
  const onPage = (number: number) =>
    number < 1 || number > pages ? null : at({ [`${which}-page`]: number === 1 ? "" : String(number) });
  return {
    chips: [
      { health: null, count: all },
      ...healthLevels.flatMap((one) =>
        counts[one] > 0 || one === health ? [{ health: one, count: counts[one] }] : [],
      ),
    ].map((one) => ({
      health: one.health,
      count: numberText(t, one.count),
      link: at({ [which]: one.health ?? "", [`${which}-page`]: "" }),
      current: one.health === health,
    })),
    pager:
      pages === 1
        ? null
        : {
            text: t("console.overview.range", {
              first: numberText(t, first),
              last: numberText(t, last),
              number: numberText(t, found),
            }),
            before: onPage(page - 1),
            next: onPage(page + 1),
          },
  };
}

function tilesOf(t: Translate, overview: Overview, perHour: PerHour, now: number): Tile[] {
  const { failedLaunches, scoresRefused, scoresWaiting, oldestScoreAt } = overview;
  const { failedWebhooks, lastWebhookAt } = overview;
  const lastDay = (what: "received" | "delivered", hours: readonly number[]) =>
    t(`console.overview.${what}`, {
      number: `${numberText(t, sumOf(hours))}${Math.max(...hours) >= maxOfHour ? "+" : ""}`,
    });
  const bars = (hours: readonly number[]) => (sumOf(hours) === 0 ? [] : barsOf(hours).bars);
  const waiting = { number: countText(t, scoresWaiting), ago: agoText(t, oldestScoreAt ?? now, now) };
  return [
    downTile(t, overview),
    {
      what: "launches",
      path: "/admin/launches",
      value: numberText(t, failedLaunches),
      lines: [t("console.overview.lastDay")],
      bars: bars(perHour.launches),
      tone: failedLaunches === 0 ? "good" : "bad",
    },
    {
      what: "refused",
      path: `/admin/deliveries?state=${scoresRefused > 0 ? "refused" : "waiting"}`,
      value: countText(t, scoresRefused),
      lines: [
        ...(scoresWaiting === 0 ? [] : [t("console.overview.waiting", waiting)]),
        lastDay("delivered", perHour.scores),
        ...arrivalOf(t, overview.arrival),
      ],
      bars: bars(perHour.scores),
      tone: toneOf(scoresRefused, scoresWaiting),
    },
    {
      what: "webhooks",
      path: "/admin/receipts?state=failed",
      value: countText(t, failedWebhooks),
      lines: [
        ...(lastWebhookAt === null
          ? []
          : [t("console.overview.lastOne", { ago: agoText(t, lastWebhookAt, now) })]),
        lastDay("received", perHour.webhooks),
      ],
      bars: bars(perHour.webhooks),
      tone: failedWebhooks === 0 ? "good" : "bad",
    },
  ];
}

function downTile(t: Translate, { lines, accounts }: Overview): Tile {
  const counted = (of: readonly { health: Health }[], health: Health) =>
    of.filter((line) => line.health === health).length;
  const [down, check] = [counted(lines, "down"), counted(lines, "check")];
  const accountsDown = counted(accounts, "down");
  const part = (label: string, number: number, of: readonly unknown[]) =>
    t("console.overview.part", { label, number: numberText(t, number), all: numberText(t, of.length) });
  const concerning = (["down", "check"] as const).find((health) => counted(lines, health) > 0);
  const lmsPath = concerning === undefined ? "/admin#lmss" : `/admin?lms=${concerning}#lmss`;
  return {
    what: "down",
    path: down === 0 && accountsDown > 0 ? "/admin?accounts=down#accounts" : lmsPath,
    value: numberText(t, down + accountsDown),
    lines: [
      part(t("console.overview.lmss"), down, lines),
      part(t("console.overview.accounts"), accountsDown, accounts),
      ...(check === 0 ? [] : [t("console.overview.toCheck", { number: numberText(t, check) })]),
    ],
    bars: [],
    tone: toneOf(down + accountsDown, check),
  };
}

function toneOf(failed: number, waiting: number): "bad" | "wait" | "good" {
  if (failed > 0) return "bad";
  return waiting > 0 ? "wait" : "good";
}

function arrivalOf(t: Translate, { medianMs, slowestMs }: Overview["arrival"]): string[] {
  if (medianMs === null || slowestMs === null) return [];
  const times = { median: durationText(t, medianMs), slowest: durationText(t, slowestMs) };
  return [t("console.overview.arrival", times)];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function lmsView(t: Translate, line: LmsLine, now: number) {
  const { id, name, family } = line.registration;
  const scoresOf = (state: string) => addressWith("/admin/deliveries", { state, lms: id });
  const failures = [
    {
      what: "launches" as const,
      number: line.failedLaunches,
      link: addressWith("/admin/launches", { lms: id }),
    },
    { what: "scores" as const, number: line.refusedScores, link: scoresOf("refused") },
  ];
  return {
    ...lineView(t, line, now),
    name,
    family,
    link: `/admin/registrations/${id}`,
    scoresLink: scoresOf("waiting"),
    failures: failures.flatMap(({ what, number, link }) =>
      number === 0 ? [] : [{ what, text: countText(t, number), link }],
    ),
  };
}

function accountView(t: Translate, line: AccountLine, name: string, now: number) {
  const { id } = line.account;
  const link = addressWith("/admin/receipts", { state: "failed", environment: id });
  return {
    ...lineView(t, line, now),
    name,
    link: `/admin/accounts/${id}`,
    lmss: numberText(t, line.lmss),
    failures:
      line.failedWebhooks === 0
        ? []
        : [{ what: "webhooks" as const, text: countText(t, line.failedWebhooks), link }],
  };
}

function lineView(
  t: Translate,
  { health, lastLaunchAt, lastWebhookAt, scoresWaiting }: LmsLine | AccountLine,
  now: number,
) {
  const ago = (at: number | null) =>
    at === null ? null : { iso: new Date(at).toISOString(), text: agoText(t, at, now) };
  return {
    health,
    tone: tones[health],
    lastLaunch: ago(lastLaunchAt),
    lastWebhook: ago(lastWebhookAt),
    scores: scoresWaiting === 0 ? null : countText(t, scoresWaiting),
  };
}
