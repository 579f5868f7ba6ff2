import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { createSealer } from "../../src/kernel/sealer.ts";
import { createKeySets } from "../../src/lms/key-sets.ts";
import { createLaunchVerifier } from "../../src/lms/launch-verifier.ts";
import { createLtiProvider } from "../../src/lms/lti-provider.ts";
import { createToolKeys } from "../../src/lms/tool-keys.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/open-stores.ts";
import { closed, listening } from "../support/stand-ins/local-server.ts";
import type { BenchRow } from "./bench-row.ts";
import { type LaunchPeers, makePlatforms, type Platform, signedTokens, startPeers } from "./launch-peers.ts";
import { startWholeTool, type WholeTool } from "./whole-launch.ts";
import type { Framed } from "./walk-in.ts";

const registrations = 50;
const launches = 500;
const callers = 16;
/** Rounds beside the peers; their medians count. */
const rounds = 15;
/** Rounds before those that count: the compiler is still busy during the first thousands of launches. */
const warmUpRounds = 5;
const secretKey = "a secret key of at least thirty-two bytes";
/** A class of 200 that arrives within a second; none of them should notice the check. */
const wanted = { perSecond: 200, p99: 150 };

/** `cpu` is this process's milliseconds for each item; unlike the others it hardly depends on what else runs. `own`: the tool's part. */
type Measured = { perSecond: number; p99: number; cpu: number; own?: number };

/** Processes all items with this many callers at once. */
async function measured<T>(pieces: readonly T[], work: (piece: T) => Promise<unknown>): Promise<Measured> {
  const waiting = [...pieces];
  const took: number[] = [];
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const caller = async () => {
    for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
      const began = performance.now();
      await work(piece);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const perSecond = (pieces.length / (performance.now() - started)) * 1000;
  const cpu = process.cpuUsage(cpuBefore);
  took.sort((a, b) => a - b);
  return {
    perSecond,
    p99: took[Math.floor(took.length * 0.99)] ?? 0,
    cpu: (cpu.user + cpu.system) / 1000 / pieces.length,
  };
}

/** The tool's LTI front on a real store, and how often it asked an LMS for something. */
async function openFront(folder: string, platforms: readonly Platform[]) {
  const logger = createLogger("silent");
  const database = await openDatabase({ url: `file:${folder}`, logger });
  const stores = await openStores(database.connection);
  for (const { registration } of platforms) await stores.registrations.insert(registration);
  const network = { calls: 0 };
  const keySets = createKeySets({
    clock: systemClock,
    fetch: (input) => {
      network.calls += 1;
      const address = input instanceof Request ? input.url : String(input);
      const asked = platforms.find(({ registration }) => registration.jwksUrl === address);
      return Promise.resolve(Response.json({ keys: asked === undefined ? [] : [asked.jwk] }));
    },
  });
  const verifier = createLaunchVerifier({ keySets, clock: systemClock });
  const app = express();
  const server = createServer((request, response) => void app(request, response));
  const url = await listening(server);
  const failed = (problem: unknown) => {
    throw problem;
  };
  const provider = createLtiProvider({
    ...stores,
    toolKeys: createToolKeys({
      ...stores,
      sealer: createSealer(secretKey),
      clock: systemClock,
      ids: randomIds,
    }),
    verifier,
    publicUrl: url,
    secretKey,
    secretKeyPrevious: undefined,
    clock: systemClock,
    ids: randomIds,
    logger,
    onKeep: failed,
    onResume: failed,
    onLaunch: (_launch, _request, response) => {
      response.status(204).end();
      return Promise.resolve();
    },
    onRefused: failed,
    onError: failed,
  });
  app.use("/lti", provider.router);
  const close = async () => {
    await closed(server);
    await database.close();
  };
  return { url, stores, network, close };
}

const ours: { login: string; launch: string } = { login: "/lti/login", launch: "/lti/launch" };

type Front = Awaited<ReturnType<typeof openFront>>;
type Prepared = { idToken: string; state: string; cookie: string };

/** Logs in and signs in advance, so that only the launches themselves are timed. */
async function prepared(
  front: Pick<Front, "url">,
  platforms: readonly Platform[],
  count: number,
  { login, launch } = ours,
): Promise<Prepared[]> {
  const ready: Prepared[] = [];
  await measured(
    Array.from({ length: count }, (_none, n) => n),
    async (n) => {
      const platform = platforms[n % platforms.length];
      if (platform === undefined) return;
      const { issuer, clientId } = platform.registration;
      const query = new URLSearchParams({
        iss: issuer,
        client_id: clientId,
        login_hint: String(n),
        target_link_uri: `${front.url}${launch}`,
      });
      const response = await fetch(`${front.url}${login}?${query.toString()}`, { redirect: "manual" });
      const asked = new URL(response.headers.get("location") ?? "").searchParams;
      const cookie = response.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; ");
      const [idToken = ""] = await signedTokens(platform, [asked.get("nonce") ?? ""], front.url);
      ready.push({ idToken, state: asked.get("state") ?? "", cookie });
    },
  );
  return ready;
}

async function postTo(path: string, front: Pick<Front, "url">, { idToken, state, cookie }: Prepared) {
  const response = await fetch(`${front.url}${path}`, {
    method: "POST",
    headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ id_token: idToken, state }).toString(),
  });
  if (response.status !== 204) throw new Error(`a launch answered ${response.status}`);
}

/** Other people's launches in the last minutes. */
async function growRecords({ stores }: Front, platforms: readonly Platform[], count: number): Promise<void> {
  const now = Date.now();
  const insert = async (n: number) => {
    const registration = platforms[n % platforms.length]?.registration;
    if (registration === undefined) return;
    await stores.nonces.use(registration.id, randomIds.secret(24), now + 720_000);
  };
  await measured(
    Array.from({ length: count }, (_none, n) => n),
    insert,
  );
}

function asText({ perSecond, p99, cpu, own }: Measured): string {
  const text = `${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms, CPU ${cpu.toFixed(2)} ms`;
  return own === undefined ? text : `${text}, its own ${own.toFixed(2)} ms`;
}

/**
 * The same launches at the tool, at ltijs as it comes and at jose alone, in turns, so that other load on the machine affects all alike. The
 * cost of the form itself, which all of them pay, is subtracted.
 */
async function besidePeers(
  front: Front,
  peers: LaunchPeers,
  whole: WholeTool,
  platforms: readonly Platform[],
): Promise<BenchRow[]> {
  const unread: Measured[] = [];
  const jose: Measured[] = [];
  const ltijs: Measured[] = [];
  const check: Measured[] = [];
  const launched: Measured[] = [];
  const shown: Measured[] = [];
  const byTool = async <T>(pieces: readonly T[], work: (piece: T) => Promise<unknown>): Promise<Measured> => {
    const before = whole.cpu();
    const seen = await measured(pieces, work);
    const own = (whole.cpu() - before) / pieces.length;
    return { ...seen, cpu: seen.cpu + own, own };
  };
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const own = await prepared(front, platforms, launches);
    const theirs = await prepared(peers.ltijs, platforms, launches, peers.ltijs);
    const signed = await whole.prepare(launches);
    const framed: Framed[] = [];
    unread.push(await measured(own, (one) => postTo(peers.unread, peers, one)));
    jose.push(await measured(own, (one) => postTo(peers.jose, peers, one)));
    ltijs.push(await measured(theirs, (one) => postTo(peers.ltijs.launch, peers.ltijs, one)));
    check.push(await measured(own, (one) => postTo(ours.launch, front, one)));
    launched.push(await byTool(signed, async (one) => framed.push(await whole.launch(one))));
    shown.push(await byTool(framed, whole.page));
  }
  const row = (measure: string, runs: readonly Measured[]): BenchRow => {
    const own = (rounds: readonly Measured[], round: number) =>
      (rounds[round]?.cpu ?? 0) - (unread[round]?.cpu ?? 0);
    const ratios = runs.map((_run, round) => own(runs, round) / own(ltijs, round));
    return {
      measure: `launch beside others: ${measure}`,
      value: asText(middle(runs, ({ cpu }) => cpu)),
      limit: `an unread form ${asText(middle(unread, ({ cpu }) => cpu))}`,
      ratio: `${middle(ratios, Number).toFixed(2)} of ltijs's CPU`,
    };
  };
  return [
    row("jose alone, nothing kept", jose),
    row("ltijs as it comes, its records in memory", ltijs),
    row("this tool's check, nonces on disk", check),
    row("this tool, a newcomer's framed launch, to where it leads", launched),
    row("this tool, the page to which that leads", shown),
  ];
}

/** The median of the rounds after the warm-up. */
function middle<T>(runs: readonly T[], by: (one: T) => number): T {
  const sorted = runs.slice(warmUpRounds).toSorted((one, other) => by(one) - by(other));
  const found = sorted[Math.floor(sorted.length / 2)];
  if (found === undefined) throw new Error("there were no rounds");
  return found;
}

/** Measures launches over HTTP, on the embedded store. Takes about two minutes. */
export async function benchLaunches(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "spaces-bench-"));
  const platforms = await makePlatforms(registrations);
  const [first] = platforms;
  if (first === undefined) return [];
  const front = await openFront(folder, platforms);
  const peers = await startPeers(platforms);
  const whole = await startWholeTool();
  try {
    await Promise.all(
      (await prepared(front, platforms, registrations)).map((ready) => postTo("/lti/launch", front, ready)),
    );
    const warmedUpBy = front.network.calls;
    const overHttp = async (from: readonly Platform[]) => {
      const ready = await prepared(front, from, launches);
      return measured(ready, (one) => postTo("/lti/launch", front, one));
    };
    const forms = await prepared(front, [first], launches);
    const empty = await measured(forms, (one) => postTo(peers.unread, peers, one));
    const row = (measure: string, reached: Measured): BenchRow => ({
      measure: `launch: whole launch over HTTP, ${measure}`,
      value: asText(reached),
      limit: `target ${wanted.perSecond}/s, p99 ${wanted.p99} ms; the same form unread ${asText(empty)}`,
      ratio: `${((reached.perSecond / empty.perSecond) * 100).toFixed(0)}%`,
    });
    const one = await overHttp([first]);
    const small = await overHttp(platforms);
    const rows = [row("1 registration", one), row(`${registrations} registrations`, small)];
    await growRecords(front, platforms, launches * 9);
    const large = await overHttp(platforms);
    rows.push({
      measure: "launch: the same after ten times as many launches",
      value: asText(large),
      limit: `before ${asText(small)}`,
      ratio: `${((large.cpu / small.cpu) * 100).toFixed(0)}% of the CPU`,
    });
    rows.push(...(await besidePeers(front, peers, whole, platforms)));
    const asked = front.network.calls - warmedUpBy;
    rows.push({
      measure: `launch: requests to an LMS during ${launches * (3 + warmUpRounds + rounds)} checks with keys in memory`,
      value: String(asked),
      limit: "0",
      ratio: asked === 0 ? "kept" : "broken",
    });
    return rows;
  } finally {
    await whole.close();
    await peers.close();
    await front.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
