import { describe, expect, test } from "vitest";
import { type Arrival, createTurnstile } from "../../../src/kernel/turnstile.ts";

/** A turnstile with a clock that stands still until it is moved. */
function turnstile(limits: { atOnce?: number; maxWaiting?: number } = {}) {
  const alarms: (() => void)[] = [];
  const sleep = () => new Promise<void>((wake) => alarms.push(wake));
  const { arrive } = createTurnstile({ sleep }, { atOnce: 2, maxWaiting: 100, turnLasts: 1_000, ...limits });
  const begun: string[] = [];
  const come = (name: string, arrival: Arrival = arrive(), group?: string) => {
    void arrival.turn(group).then((turn) => begun.push(turn === "begun" ? name : `${name} ${turn}`));
    return arrival;
  };
  const settled = async () => {
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
    return begun.join(", ");
  };
  return { arrive, come, settled, wakeAll: () => alarms.splice(0).forEach((wake) => wake()) };
}

describe("a turnstile for two", () => {
  test("lets people through in order of arrival, one for each who leaves", async () => {
    const { come, settled } = turnstile();
    const all = ["Ann", "Ben", "Cem", "Dora", "Eva"].map((name) => come(name));
    expect(await settled()).toBe("Ann, Ben");
    all[1]?.end();
    all[1]?.end();
    expect(await settled()).toBe("Ann, Ben, Cem");
    all[0]?.end();
    all[2]?.end();
    expect(await settled()).toBe("Ann, Ben, Cem, Dora, Eva");
  });

  test("counts from the arrival, not from when a person is ready", async () => {
    const { arrive, come, settled } = turnstile({ atOnce: 1 });
    const [ann, ben, cem] = [arrive(), arrive(), arrive()];
    const dora = come("Dora");
    come("Cem", cem);
    come("Ben", ben);
    come("Ann", ann);
    expect(await settled(), "nobody waits for somebody who is not ready").toBe("Dora");
    for (const done of [dora, ann, ben]) {
      done.end();
      await settled();
    }
    expect(await settled()).toBe("Dora, Ann, Ben, Cem");
  });

  test("skips people who have left", async () => {
    const { come, settled } = turnstile({ atOnce: 1 });
    const ann = come("Ann");
    const ben = come("Ben");
    come("Cem");
    ben.giveUp();
    ann.end();
    expect(await settled()).toBe("Ann, Ben left, Cem");
    ben.end();
    expect(await settled(), "one who has left has no turn to give").toBe("Ann, Ben left, Cem");
  });

  test("keeps the turn of somebody whose browser leaves in between", async () => {
    const { come, settled } = turnstile({ atOnce: 1 });
    const ann = come("Ann");
    await settled();
    ann.giveUp();
    come("Ben");
    expect(await settled()).toBe("Ann");
    ann.end();
    expect(await settled()).toBe("Ann, Ben");
  });

  test("does not wait forever for what hangs", async () => {
    const { come, settled, wakeAll } = turnstile();
    const [ann] = ["Ann", "Ben", "Cem", "Dora", "Eva"].map((name) => come(name));
    await settled();
    wakeAll();
    expect(await settled()).toBe("Ann, Ben, Cem, Dora");
    ann?.end();
    expect(await settled(), "a turn that ran out is not given twice").toBe("Ann, Ben, Cem, Dora");
  });

  test("refuses those beyond the limit immediately", async () => {
    const { come, settled } = turnstile({ atOnce: 1, maxWaiting: 2 });
    const [ann] = ["Ann", "Ben", "Cem"].map((name) => come(name));
    await settled();
    come("Dora");
    expect(await settled()).toBe("Ann, Dora full");
    ann?.end();
    expect(await settled()).toBe("Ann, Dora full, Ben");
  });

  test("lets groups in by turns, so that a crowd of one group waits for itself", async () => {
    const { arrive, come, settled } = turnstile({ maxWaiting: 4 });
    const crowd = ["a1", "a2", "a3", "a4", "a5", "a6", "a7"].map((name) => come(name, arrive(), "a"));
    await settled();
    const [b1] = ["b1", "b2"].map((name) => come(name, arrive(), "b"));
    expect(await settled()).toBe("a7 full, a1, a2");
    crowd[0]?.end();
    expect(await settled()).toBe("a7 full, a1, a2, b1");
    crowd[1]?.end();
    expect(await settled()).toBe("a7 full, a1, a2, b1, a3");
    b1?.end();
    expect(await settled()).toBe("a7 full, a1, a2, b1, a3, b2");
  });
});
