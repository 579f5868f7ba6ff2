import { Router } from "express";
import type { AccountId, AccountStage } from "../../../domain/account.ts";
import type { PlatformFamily } from "../../../domain/lms-product.ts";
import {
  asLight,
  type Light,
  lights,
  type LinesPage,
  linesPage,
  type LinesWanted,
} from "../../operations/rules/health.ts";
import {
  type AccountLine,
  type LmsLine,
  type Overview,
  showOverview,
} from "../../operations/show-overview.ts";
import { agoText } from "../../../web/course-times.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { addressWith } from "./requests.ts";
import { alarmsShown, type AlarmsShown } from "./alarms-pages.ts";
import type { ConsoleApp } from "./console-session.ts";
import { countText, nameOfAccount } from "./in-words.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";
import { cutTo } from "../../../kernel/text.ts";

export type OverviewPage = ConsoleFrame &
  AlarmsShown & {
    /** No LMS is registered. */
    empty: boolean;
    numbers: readonly NumberShown[];
    /** How many alarms there are beside the ones shown; null for none. */
    moreAlarms: string | null;
    typed: string;
    /** Kept when something else is typed. */
    kept: readonly { name: string; value: string }[];
    lms: LinesShown<LmsLineShown>;
    accounts: LinesShown<AccountLineShown>;
  };

/** A number as text, what is added to it, and the page behind it. */
type NumberShown = {
  what: "lmss" | "launches" | "scores" | "webhooks";
  path: string;
  value: string;
  sub: string | null;
  tone: "good" | "wait" | "bad" | "none";
};

/** A page of lines with its filter; `pager`: null when there is one page. */
type LinesShown<L> = {
  chips: readonly { light: Light | null; count: string; link: string; current: boolean }[];
  rows: readonly L[];
  pager: { text: string; before: string | null; next: string | null } | null;
};

export type LinesTop = { t: Translate } & Pick<LinesShown<unknown>, "chips"> & { label: string };
export type LinesEnd = { t: Translate } & Pick<LinesShown<unknown>, "pager">;
export type LinesHeads = { t: Translate };
/** `scoresLink`: null where there is no page of these. */
export type LineCells = { t: Translate; line: LineShown; scoresLink: string | null };

type LineShown = {
  link: string;
  name: string;
  light: Light;
  tone: Tone;
  lastLaunch: AgoShown | null;
  lastWebhook: AgoShown | null;
  /** How many wait; null for none. */
  scores: string | null;
  failures: readonly { what: "launches" | "scores" | "webhooks"; text: string; link: string }[];
};
/** `scoresLink`: to those of this LMS. */
type LmsLineShown = LineShown & { family: PlatformFamily; scoresLink: string };
type AccountLineShown = LineShown & { stage: AccountStage; lmss: string };

/** `iso`: for machines. */
type AgoShown = { iso: string; text: string };

const overviewPage = defineView<OverviewPage>("admin/overview");

const tones: Readonly<Record<Light, Tone>> = {
  down: "bad",
  check: "wait",
  quiet: "none",
  good: "good",
  off: "free",
};
const pageSizes = { lms: 25, accounts: 10 } as const;
/** The others are behind a link. */
const maxAlarms = 6;

/** Where the console begins; administrators of one LMS begin with that. */
export function overviewPages(app: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/",
    gate.page(async (visit) => {
      if (visit.within !== null) {
        visit.goTo(`/admin/registrations/${visit.within}`);
        return;
      }
      await showAll(app, visit);
    }, narrowed),
  );
  return router;
}

type Asked = { find: string; lms: LinesWanted; accounts: LinesWanted };

async function showAll(app: ConsoleApp, { show, t, request }: Visit): Promise<void> {
  const overview = await showOverview(app);
  const { alarms } = overview;
  const now = app.clock.now();
  const asked = askedOf(request.query);
  const name = (id: AccountId) => nameOfAccount(t, app.accounts, id);
  const lms = linesPage(overview.lines, ({ registration }) => registration.name, asked.lms);
  const accounts = linesPage(overview.accounts, ({ account }) => name(account.id), asked.accounts);
  show({
    view: overviewPage,
    title: t("console.areas.overview"),
    area: "overview",
    model: {
      ...alarmsShown(alarms.slice(0, maxAlarms)),
      moreAlarms: alarms.length > maxAlarms ? numberText(t, alarms.length) : null,
      empty: overview.lines.length === 0,
      numbers: numbersOf(t, overview, now),
      typed: asked.find,
      kept: Object.entries(addressOf(asked, {})).flatMap(([key, value]) =>
        key === "find" || value === "" ? [] : [{ name: key, value }],
      ),
      lms: {
        ...linesShown(t, asked, "lms", lms),
        rows: lms.rows.map((line) => lmsShown(t, line, now)),
      },
      accounts: {
        ...linesShown(t, asked, "accounts", accounts),
        rows: accounts.rows.map((line) => accountShown(t, line, name(line.account.id), now)),
      },
    },
  });
}

function askedOf(query: Visit["request"]["query"]): Asked {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === "string" ? cutTo(value.trim(), 200) : "";
  };
  const page = (name: string) => Number(/^\d{1,4}$/.exec(text(name))?.[0] ?? 1);
  const find = text("find");
  const wanted = (which: "lms" | "accounts") => ({
    typed: find,
    light: asLight(text(which)),
    page: page(`${which}-page`),
    pageSize: pageSizes[which],
  });
  return { find, lms: wanted("lms"), accounts: wanted("accounts") };
}

/** What the address asks for, with a change. */
function addressOf({ find, lms, accounts }: Asked, change: Readonly<Record<string, string>>) {
  const page = (number: number) => (number === 1 ? "" : String(number));
  return {
    find,
    lms: lms.light ?? "",
    "lms-page": page(lms.page),
    accounts: accounts.light ?? "",
    "accounts-page": page(accounts.page),
    ...change,
  };
}

function linesShown<L>(
  t: Translate,
  asked: Asked,
  which: "lms" | "accounts",
  { counts, found, page, pages, first, last }: LinesPage<L>,
): Pick<LinesShown<L>, "chips" | "pager"> {
  const at = (change: Readonly<Record<string, string>>) =>
    `${addressWith("/admin", addressOf(asked, change))}#${which === "lms" ? "lmss" : "accounts"}`;
  const { light } = asked[which];
  const all = lights.reduce((sum, one) => sum + counts[one], 0);
  const onPage = (number: number) =>
    number < 1 || number > pages ? null : at({ [`${which}-page`]: number === 1 ? "" : String(number) });
  return {
    chips: [
      { light: null, count: all },
      ...lights.flatMap((one) =>
        counts[one] > 0 || one === light ? [{ light: one, count: counts[one] }] : [],
      ),
    ].map((one) => ({
      light: one.light,
      count: numberText(t, one.count),
      link: at({ [which]: one.light ?? "", [`${which}-page`]: "" }),
      current: one.light === light,
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

function numbersOf(t: Translate, overview: Overview, now: number): NumberShown[] {
  const { lines, failedLaunches, scoresWaiting, oldestScoreAt, failedWebhooks, lastWebhookAt } = overview;
  const counted = (light: Light) => lines.filter((line) => line.light === light).length;
  const [down, check] = [counted("down"), counted("check")];
  const since = (key: "oldest" | "lastOne", at: number | null) =>
    at === null ? null : t(`console.overview.${key}`, { ago: agoText(t, at, now) });
  return [
    {
      what: "lmss",
      path: down > 0 ? "/admin?lms=down#lmss" : check > 0 ? "/admin?lms=check#lmss" : "/admin#lmss",
      value: numberText(t, down),
      sub: t("console.overview.toCheck", {
        all: numberText(t, lines.length),
        number: numberText(t, check),
      }),
      tone: down > 0 ? "bad" : check > 0 ? "wait" : "good",
    },
    {
      what: "launches",
      path: "/admin/launches",
      value: numberText(t, failedLaunches),
      sub: t("console.overview.lastDay"),
      tone: failedLaunches === 0 ? "good" : "bad",
    },
    {
      what: "scores",
      path: "/admin/deliveries?state=waiting",
      value: countText(t, scoresWaiting),
      sub: since("oldest", oldestScoreAt),
      tone: scoresWaiting === 0 ? "good" : "wait",
    },
    {
      what: "webhooks",
      path: "/admin/receipts?state=failed",
      value: countText(t, failedWebhooks),
      sub: since("lastOne", lastWebhookAt),
      tone: failedWebhooks === 0 ? "good" : "bad",
    },
  ];
}

function lmsShown(t: Translate, line: LmsLine, now: number): LmsLineShown {
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
    ...lineShown(t, line, now),
    ...{ name, family, link: `/admin/registrations/${id}`, scoresLink: scoresOf("waiting") },
    failures: failures.flatMap(({ what, number, link }) =>
      number === 0 ? [] : [{ what, text: countText(t, number), link }],
    ),
  };
}

function accountShown(t: Translate, line: AccountLine, name: string, now: number): AccountLineShown {
  const { id, stage } = line.account;
  const link = addressWith("/admin/receipts", { state: "failed", environment: id });
  return {
    ...lineShown(t, line, now),
    ...{ name, stage, link: `/admin/accounts/${id}`, lmss: numberText(t, line.lmss) },
    failures:
      line.failedWebhooks === 0 ? [] : [{ what: "webhooks", text: countText(t, line.failedWebhooks), link }],
  };
}

function lineShown(
  t: Translate,
  { light, lastLaunchAt, lastWebhookAt, scoresWaiting }: LmsLine | AccountLine,
  now: number,
) {
  const ago = (at: number | null) =>
    at === null ? null : { iso: new Date(at).toISOString(), text: agoText(t, at, now) };
  return {
    light,
    tone: tones[light],
    lastLaunch: ago(lastLaunchAt),
    lastWebhook: ago(lastWebhookAt),
    scores: scoresWaiting === 0 ? null : countText(t, scoresWaiting),
  };
}
