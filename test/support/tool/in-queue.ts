import type { BrowserContext } from "playwright-core";
import { z } from "zod";
import { ticketDigest } from "../../../src/modules/joining/enter-class.ts";
import type { StandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import type { StandInLogin } from "../../../sandbox/stand-in-classroom/world.ts";
import type { StandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { waitInQueue } from "../../../sandbox/wait-in-queue.ts";
import { waitingCookieName } from "../../../src/modules/joining/pages/waiting-page.ts";
import { createVisitor, type Seen, type Visitor } from "../../../sandbox/visitor.ts";
import { required } from "../required.ts";

/** A person who opened a course link and was sent on: to the classroom, or to the waiting page. */
export type Arrival = { person: string; visitor: Visitor; seen: Seen };

/** A person opens a course link in a new tab; their browser follows only the launch's redirects. */
export async function arrive(lms: StandInLms, person: string, linkId: string): Promise<Arrival> {
  const visitor = createVisitor();
  visitor.addCookie(lms.url, lms.cookieFor(person));
  const start = await visitor.open(`${lms.url}${lms.launchPath(linkId, "existing")}`);
  const toAuthorization = await visitor.submit(start);
  const idToken = await visitor.open(toAuthorization.location ?? "");
  return { person, visitor, seen: await visitor.submit(idToken) };
}

/**
 * Until `clearFaults` the classroom responds to every call (or every one of an operation) with 429 and requests a pause of a second: nobody
 * gets in, however long a test takes to bring everybody there, and then the queue moves on.
 */
export function keepEverybodyWaiting(
  classroom: Pick<StandInClassroom, "addFault">,
  operation: "*" | "authorize" = "*",
): void {
  classroom.addFault({ operation, kind: "429", retryAfterSeconds: 1, times: 10_000 });
}

/** Like `arrive`, for a person who has to wait: logins that were fetched ahead for them are used up first. */
export async function arriveAndWait(lms: StandInLms, person: string, linkId: string): Promise<Arrival> {
  for (let times = 1; ; times += 1) {
    const arrival = await arrive(lms, person, linkId);
    if (doesWait(arrival) || times === 5) return arrival;
  }
}

function doesWait({ seen }: Arrival): boolean {
  return seen.location !== null && new URL(seen.location).pathname === "/waiting";
}

/** Presses the button of a page in the LMS's frame and waits in the queue. @returns the login they went in with. */
export async function pressEnter(
  classroom: StandInClassroom,
  visitor: Visitor,
  page: Seen,
): Promise<StandInLogin> {
  const inside = await waitInQueue(visitor, await visitor.submit(page, { action: "/enter" }));
  const token = inside.location === null ? null : new URL(inside.location).searchParams.get("token");
  const login = classroom.authorizations().find((one) => one.token === token);
  return required(login, `the login after "${inside.status} ${inside.text}"`);
}

/** The waiting page's address of a person who has to wait. @throws when they do not. */
export function waitingAddressOf(arrival: Arrival): string {
  const { person, seen } = arrival;
  if (doesWait(arrival) && seen.location !== null) return seen.location;
  throw new Error(`${person} does not wait: ${seen.status} ${seen.location ?? seen.text}`);
}

/** The cookies of a waiting page, as a header. */
export function cookiesOf(arrival: Arrival): string {
  return arrival.visitor.cookiesFor(waitingAddressOf(arrival));
}

/** The ticket of a person who has to wait, which their browser keeps. */
export function ticketOf(arrival: Arrival): string {
  const place = new URL(waitingAddressOf(arrival)).searchParams.get("place") ?? "";
  const ticket = new RegExp(`(?:^|; )(?:__Secure-)?place_${place}=([^;]+)`).exec(cookiesOf(arrival))?.[1];
  return required(ticket, `the ticket of ${place} in ${arrival.person}'s browser`);
}

/** Opens the waiting page in the browser that has its ticket; redirects are not followed. */
export function lookAsOwner(
  toolUrl: string,
  ticket: string,
  init: { method?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { place, cookie } = keptBy(toolUrl, ticket);
  return fetch(`${toolUrl}/waiting?place=${place}`, {
    redirect: "manual",
    ...init,
    headers: { accept: "text/html", cookie, ...init.headers },
  });
}

function keptBy(toolUrl: string, ticket: string): { place: string; cookie: string } {
  const place = ticketDigest(ticket);
  return { place, cookie: `${waitingCookieName(toolUrl, place)}=${ticket}` };
}

/** Puts the ticket of a person who has to wait into one of their browsers. */
export async function bringTicket(context: BrowserContext, arrival: Arrival): Promise<string> {
  const address = waitingAddressOf(arrival);
  const [name = "", value = ""] = cookiesOf(arrival).split("; ").at(-1)?.split("=") ?? [];
  const { origin, hostname } = new URL(address);
  const secure = origin.startsWith("https:");
  await context.addCookies([
    { name, value, domain: hostname, path: "/waiting", secure, httpOnly: true, sameSite: "Lax" },
  ]);
  return address;
}

const reportSchema = z.object({
  state: z.string(),
  before: z.number().optional(),
  place: z.string().optional(),
  time: z.string().optional(),
  title: z.string().optional(),
  trouble: z.boolean().optional(),
});

/** What a waiting person's page is told, such as `{ state: "waiting", before: 3 }`. */
export type StateReport = z.infer<typeof reportSchema>;

/** What the script of a waiting page gets when it asks. */
export async function askState(toolUrl: string, ticket: string): Promise<StateReport> {
  const answer = await fetch(`${toolUrl}/waiting/state`, {
    method: "POST",
    body: new URLSearchParams({ ticket }),
  });
  return reportSchema.parse(await answer.json());
}

/** A listening page without a browser. */
export type Listener = {
  status: number;
  headers: Headers;
  /** All messages so far. */
  words: StateReport[];
  /** The stream as it came. */
  text: () => string;
  /** Resolves when the stream has ended, for whatever reason. */
  ended: Promise<void>;
  /** The tab is closed. */
  close: () => void;
};

/** Opens the stream of a waiting page. */
export async function listen(toolUrl: string, ticket: string): Promise<Listener> {
  const closing = new AbortController();
  const response = await fetch(`${toolUrl}/waiting/events`, {
    method: "POST",
    body: new URLSearchParams({ ticket }),
    signal: closing.signal,
  });
  const words: StateReport[] = [];
  let text = "";
  const read = async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      text += part.value;
      const events = (rest + part.value).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        if (event.startsWith("data: ")) words.push(reportSchema.parse(JSON.parse(event.slice(6))));
      }
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    words,
    text: () => text,
    ended: read().catch(() => undefined),
    close: () => {
      closing.abort();
    },
  };
}
