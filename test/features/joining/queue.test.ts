import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  enterClass,
  type Entered,
  takeLogin,
  ticketDigest,
} from "../../../src/modules/joining/enter-class.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { openWaitingQueue } from "../../support/builders/open-waiting-queue.ts";
import { loginUsableMs } from "../../../src/modules/joining/rules/limits.ts";
import { required } from "../../support/required.ts";

/** A clock that the test moves; sleeping takes next to no time. */
function movedClock(): Clock & { move: (ms: number) => void } {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: (_ms, signal) => systemClock.sleep(5, signal),
    move: (ms) => {
      now += ms;
    },
  };
}

let clock: ReturnType<typeof movedClock>;
let queue: Awaited<ReturnType<typeof openWaitingQueue>>;
beforeEach(async () => {
  clock = movedClock();
  queue = await openWaitingQueue({ clock });
  await queue.course("biology");
  await queue.course("history");
});
afterEach(() => queue.close());

async function everybody(courseId: string, names: readonly string[]): Promise<Entered[]> {
  const entered: Entered[] = [];
  for (const name of names) {
    entered.push(await queue.arrive(courseId, name));
    clock.move(1);
  }
  return entered;
}
const letters = (text: string) => Array.from(text);
const users = (text: string) => letters(text).map((name) => `user-${name}`);

describe("the order of the queue", () => {
  test("is that of arrival", async () => {
    await everybody("biology", letters("dcbaef"));
    expect(await queue.letAllIn()).toEqual(users("dcbaef"));
  });

  test("lets a host go first, as nobody can begin without one", async () => {
    await everybody("biology", letters("abc"));
    await queue.arrive("biology", "teacher", "instructor");
    clock.move(1);
    await queue.arrive("biology", "assistant", "instructor");
    expect(await queue.letAllIn()).toEqual(["user-teacher", "user-assistant", ...users("abc")]);
  });

  test("is fair between courses: a small class that comes later alternates with a big one", async () => {
    await everybody("biology", letters("abcdefgh"));
    await everybody("history", letters("xyz"));
    expect(await queue.letAllIn()).toEqual(users("axbyczdefgh"));
  });

  test("gives no credit for a quiet past", async () => {
    await everybody("biology", letters("abcdef"));
    await queue.letAllIn();
    await everybody("biology", letters("ABC"));
    await everybody("history", letters("xyz"));
    expect(await queue.letAllIn()).toEqual(users("AxByCz"));
  });

  test("is that of the launches, even if the button is pressed later", async () => {
    await queue.member("biology", "a");
    await queue.reserve("biology", "a");
    await everybody("biology", letters("bc"));
    const pressed = await enterClass(queue.deps, queue.arrival("biology", "a"));
    expect(await queue.letAllIn()).toEqual(users("abc"));
    expect(await queue.look(pressed)).toMatchObject({ state: "inside" });
  });
});

describe("nobody holds up the others", () => {
  test("by loading the LMS page again: an open waiting page keeps the position", async () => {
    const entered = required((await everybody("biology", letters("abc")))[0]);
    await queue.reserve("biology", "a");
    expect(await queue.letAllIn()).toEqual(users("abc"));
    expect(await queue.look(entered)).toMatchObject({ state: "inside" });
  });

  test("by coming in ever different ways: they are first only once", async () => {
    await everybody("biology", ["tom"]);
    const others = letters("abcdef");
    await everybody("biology", others);
    const order: string[] = [];
    for (const locale of ["de", "fr", "it", "es", "pt"]) {
      const admitted = await queue.next();
      await vi.waitFor(() => expect(queue.calls.length).toBe(order.length + 1), 30_000);
      order.push(queue.calls.at(-1)?.userId ?? "");
      queue.calls.at(-1)?.answer();
      await admitted?.done;
      await enterClass(queue.deps, { ...queue.arrival("biology", "tom"), locale });
    }
    expect(order.slice(0, 3)).toEqual(["user-tom", "user-tom", "user-a"]);
    expect(new Set(order.slice(2))).toEqual(new Set(users("abc")));
  });

  test("by going away: people who come later do not wait for turns of people who left", async () => {
    await everybody(
      "biology",
      Array.from({ length: 60 }, (_, number) => `gone${number}`),
    );
    clock.move(31_000);
    await everybody("biology", letters("abc"));
    await everybody("history", letters("xyzuvwrst"));
    const order = await queue.letAllIn();
    expect(order.slice(0, 6)).toEqual(users("axbycz"));
  });
});

describe("a person in the queue", () => {
  test("is let in once: a second copy of the page finds the login used", async () => {
    const entered = required((await everybody("biology", ["ann"]))[0]);
    expect(await queue.look(entered)).toMatchObject({ state: "waiting" });
    await queue.letAllIn();
    const looks = await Promise.all(Array.from({ length: 10 }, () => queue.look(entered)));
    expect(looks.filter(({ state }) => state === "inside")).toEqual([
      expect.objectContaining({ url: "https://app.test/login/user-ann/1" }),
    ]);
    expect(looks.filter(({ state }) => state === "entered")).toHaveLength(9);
  });

  test("is skipped while away, and gets their turn when they are back", async () => {
    const entered = await everybody("biology", letters("abc"));
    clock.move(20_000);
    const stay = await Promise.all(
      entered.slice(1).map(async (each) => {
        if (each.state !== "waiting") throw new Error("let in already");
        return (await queue.stores.queuePositions.findByTicket(ticketDigest(each.ticket)))?.id ?? "";
      }),
    );
    await queue.stores.queuePositions.seen(stay, clock.now() + 60_000);
    clock.move(11_000);
    const first = await queue.next();
    await vi.waitFor(() => expect(queue.calls.map(({ userId }) => userId)).toEqual(["user-b"]), 30_000);
    queue.calls[0]?.answer();
    await first?.done;
    await enterClass(queue.deps, queue.arrival("biology", "a"));
    expect(await queue.letAllIn()).toEqual(users("ac"));
  });

  test("counts as present while their page is open", async () => {
    const [entered] = await everybody("biology", ["ann"]);
    if (entered?.state !== "waiting") throw new Error("let in already");
    const position = required(await queue.stores.queuePositions.findByTicket(ticketDigest(entered.ticket)));
    const seen: string[] = [];
    const end = queue.waitingQueue.watch(position, {
      onView: ({ state }) => seen.push(state),
      onStop: () => seen.push("stopped"),
    });
    for (let minute = 0; minute < 10; minute += 1) {
      clock.move(40_000);
      await vi.waitFor(async () => {
        const [now] = await queue.stores.queuePositions.findMany([position.id]);
        expect(now?.seenUntil).toBeGreaterThan(clock.now() + 40_000);
      }, 30_000);
    }
    end();
    await vi.waitFor(async () => {
      const [now] = await queue.stores.queuePositions.findMany([position.id]);
      expect(now?.seenUntil).toBeLessThanOrEqual(clock.now() + 15_000);
    }, 30_000);
    expect(new Set(seen)).toEqual(new Set(["waiting"]));
    clock.move(16_000);
    expect(await queue.next()).toBeNull();
  });

  test("sees how many are ahead and how long it takes", async () => {
    const entered = await everybody("biology", letters("abcdefghijkl"));
    const last = entered.at(-1);
    if (last?.state !== "waiting") throw new Error("let in already");
    const position = required(await queue.stores.queuePositions.findByTicket(ticketDigest(last.ticket)));
    clock.move(1_000);
    expect(await queue.waitingQueue.currentView(position, 30_000)).toEqual({
      state: "waiting",
      peopleBefore: 11,
      seconds: 4,
      trouble: false,
    });
  });
});

describe("a login that is ready", () => {
  const ready = async () => {
    const [entered] = await everybody("biology", ["ann"]);
    await queue.letAllIn();
    if (entered?.state !== "waiting") throw new Error("let in already");
    return entered;
  };

  test("is not used after 55 minutes: the person goes to the front and gets another one", async () => {
    const entered = await ready();
    clock.move(loginUsableMs);
    expect(await queue.look(entered)).toMatchObject({ state: "waiting", peopleBefore: 0 });
    await enterClass(queue.deps, queue.arrival("biology", "ann"));
    expect(await queue.letAllIn()).toEqual(["user-ann"]);
  });

  test("is still used a moment before", async () => {
    const entered = await ready();
    clock.move(loginUsableMs - 1);
    expect(await queue.look(entered)).toMatchObject({ state: "inside" });
  });

  test("is discarded when the person has become a learner", async () => {
    const entered = await queue.arrive("biology", "tom", "instructor");
    await queue.letAllIn();
    expect(queue.calls.at(-1)?.redirectUrl).toContain("startCall=true");
    await queue.member("biology", "tom", "learner");
    expect(await queue.look(entered)).toMatchObject({ state: "waiting" });
    await queue.letAllIn();
    expect(queue.calls.at(-1)?.redirectUrl).not.toContain("startCall");
    expect(await queue.look(entered)).toMatchObject({ state: "inside" });
  });

  test("is not used when the LMS has been switched off", async () => {
    const entered = await ready();
    await queue.stores.registrations.set("reg_1", { active: false });
    await expect(queue.look(entered)).rejects.toMatchObject({ code: "platform-inactive" });
  });

  test("is sealed in the database", async () => {
    const entered = await ready();
    const position = await queue.stores.queuePositions.findByTicket(ticketDigest(entered.ticket));
    expect(position?.state).toBe("ready");
    expect(JSON.stringify(position)).not.toContain("login/user-ann");
    expect(JSON.stringify(position)).not.toContain(entered.ticket);
    if (position !== null) expect(await takeLogin(queue.deps, position)).toMatchObject({ state: "inside" });
  });
});

describe("when the classroom fails", () => {
  const temporary = new NamedError("classroom-unreachable", "It does not answer.", {
    status: 503,
    temporary: true,
    details: { outcome: "not-done" },
  });

  async function failNext(error: Error): Promise<void> {
    const made = queue.calls.length;
    const admitted = await queue.next();
    await vi.waitFor(() => expect(queue.calls.length).toBe(made + 1), 30_000);
    queue.calls.at(-1)?.fail(error);
    await admitted?.done;
  }

  test("for a moment, people keep their positions and the call is retried", async () => {
    const [entered] = await everybody("biology", ["ann"]);
    if (entered?.state !== "waiting") throw new Error("let in already");
    await failNext(temporary);
    const position = required(await queue.stores.queuePositions.findByTicket(ticketDigest(entered.ticket)));
    clock.move(1_000);
    expect(await queue.waitingQueue.currentView(position, 30_000)).toMatchObject({
      state: "waiting",
      trouble: true,
    });
    expect(await queue.next(), "not at once").toBeNull();
    clock.move(3_000);
    await queue.letAllIn();
    expect(await queue.look(entered)).toMatchObject({ state: "inside" });
  });

  test("for longer, people see why, and may try again", async () => {
    const [entered] = await everybody("biology", ["ann"]);
    if (entered?.state !== "waiting") throw new Error("let in already");
    const position = await queue.stores.queuePositions.findByTicket(ticketDigest(entered.ticket));
    await failNext(temporary);
    clock.move(61_000);
    await queue.stores.queuePositions.seen([position?.id ?? ""], clock.now() + 60_000);
    await failNext(temporary);
    expect(await queue.look(entered)).toMatchObject({
      state: "failed",
      problem: { code: "classroom-unreachable" },
    });
    const again = await enterClass(queue.deps, queue.arrival("biology", "ann"));
    await queue.letAllIn();
    expect(await queue.look(again)).toMatchObject({ state: "inside" });
  });

  test("for good, people see why immediately", async () => {
    const entered = required((await everybody("biology", ["ann"]))[0]);
    await failNext(new NamedError("classroom-refused", "No.", { status: 502 }));
    expect(await queue.look(entered)).toMatchObject({
      state: "failed",
      problem: { code: "classroom-refused" },
    });
  });

  test("in an unexpected way, people keep their positions, too", async () => {
    const entered = required((await everybody("biology", ["ann"]))[0]);
    await failNext(new Error("the disk is full"));
    clock.move(3_000);
    await queue.letAllIn();
    expect(await queue.look(entered)).toMatchObject({ state: "inside" });
  });

  test("with an unknown outcome, the call is not repeated", async () => {
    const entered = required((await everybody("biology", ["ann"]))[0]);
    await failNext(
      new NamedError("classroom-unreachable", "?", { temporary: true, details: { outcome: "unknown" } }),
    );
    expect(await queue.look(entered)).toMatchObject({ state: "failed" });
  });
});

describe("a process that dies while it lets somebody in", () => {
  test("returns their position after a while, at the same point of the queue", async () => {
    const entered = await everybody("biology", letters("ab"));
    const other = await openWaitingQueue({ clock, url: queue.url });
    try {
      // Like a killed process: it claimed, and never continues.
      const claimed = await other.stores.queuePositions.claimNext(
        "production",
        "dead",
        clock.now(),
        clock.now() + leaseMs,
      );
      expect(claimed?.personId).toBe("per-a");
    } finally {
      await other.close();
    }
    clock.move(leaseMs);
    expect(await queue.letAllIn()).toEqual(users("ab"));
    for (const each of entered) expect(await queue.look(each)).toMatchObject({ state: "inside" });
  });
});

describe("a process that is asked to end while the classroom makes it wait", () => {
  test("returns the people it was letting in to their positions immediately", async () => {
    await everybody("biology", letters("ab"));
    const other = await openWaitingQueue({ clock, url: queue.url });
    const admitted = await other.next();
    await vi.waitFor(() => expect(other.calls.map(({ userId }) => userId)).toEqual(["user-a"]), 30_000);
    other.end();
    await admitted?.done;
    await other.close();
    expect(await queue.letAllIn()).toEqual(users("ab"));
  });

  test("finishes the current call, so that nothing is created twice", async () => {
    const entered = required((await everybody("biology", ["ann"]))[0]);
    const other = await openWaitingQueue({ clock, url: queue.url });
    const admitted = await other.next();
    await vi.waitFor(() => expect(other.calls).toHaveLength(1), 30_000);
    other.calls[0]?.permit();
    other.end();
    other.calls[0]?.answer();
    await admitted?.done;
    await other.close();
    expect(await queue.letAllIn()).toEqual([]);
    expect(await queue.look(entered)).toMatchObject({ state: "inside" });
  });
});

test("three processes with one queue let everybody in once, in order up to the one that each of them holds", async () => {
  const others = [
    await openWaitingQueue({ clock, url: queue.url }),
    await openWaitingQueue({ clock, url: queue.url }),
  ];
  const queues = [queue, ...others];
  try {
    await everybody(
      "biology",
      Array.from({ length: 60 }, (_, index) => `p${String(index).padStart(2, "0")}`),
    );
    const order: string[] = [];
    await Promise.all(
      queues.map(async (one) => {
        for (;;) {
          const made = one.calls.length;
          const admitted = await one.next();
          if (admitted === null) return;
          await vi.waitFor(() => expect(one.calls.length).toBe(made + 1), 30_000);
          order.push(one.calls.at(-1)?.userId ?? "");
          one.calls.at(-1)?.answer();
          await admitted.done;
        }
      }),
    );
    expect(new Set(order).size).toBe(60);
    expect(order).toHaveLength(60);
    for (const [at, user] of order.entries()) {
      const position = Number(user.replace("user-p", ""));
      expect(Math.abs(position - at), user).toBeLessThanOrEqual(2);
    }
  } finally {
    for (const one of others) await one.close();
  }
});
