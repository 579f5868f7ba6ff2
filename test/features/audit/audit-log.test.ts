import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { exportAudit, logAudit, writeAudit } from "../../../src/modules/audit/audit.ts";
import { openEmptyStores, type OpenedStores } from "../../support/builders/open-empty-stores.ts";

let opened: OpenedStores;
let logged: string;
const time = { now: 1_800_000_000_000 };
const clock = { now: () => time.now, sleep: () => Promise.resolve() };
const logger = createLogger("info", {
  write: (line) => {
    logged += line;
  },
});
const deps = () => ({ ...opened.stores, clock, ids: randomIds, logger, who: "console" as const });
async function done(on: string): Promise<void> {
  time.now += 1;
  await writeAudit(deps(), { what: "logged-in", registrationId: null, on });
}

const entryShape = z.looseObject({ id: z.string(), on: z.string() });
async function exported(after?: string) {
  const entries: z.output<typeof entryShape>[] = [];
  for await (const line of exportAudit(deps(), after)) entries.push(entryShape.parse(JSON.parse(line)));
  return entries;
}

beforeEach(async () => {
  opened = await openEmptyStores(opened);
  logged = "";
});

describe("the audit log", () => {
  test("is exported oldest first, from any entry, and the export has its own entry", async () => {
    // More than one page of the store.
    for (let deed = 1; deed <= 501; deed += 1) await done(`deed ${deed}`);
    time.now += 1;
    const all = await exported();
    expect(all).toHaveLength(501);
    const { id = "", ...facts } = all[499] ?? {};
    expect(facts).toEqual({
      at: time.now - 2,
      who: "console",
      what: "logged-in",
      registrationId: null,
      on: "deed 500",
    });
    const rest = await exported(id);
    expect(rest.map(({ on }) => on)).toEqual(["deed 501", "501"]);
  });

  test("has each of forty actions of one moment once", async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => done(`deed ${at}`)));
    const entries = await exported();
    expect(new Set(entries.map(({ on }) => on)).size).toBe(40);
  });
});

test("the tool's own log has each entry once, without names", async () => {
  await done("Ann Example");
  await done("b");
  expect(await logAudit(deps())).toBe(2);
  expect(await logAudit(deps())).toBe(0);
  await done("c");
  expect(await logAudit(deps())).toBe(1);
  const lines = logged.trim().split("\n");
  expect(lines).toHaveLength(3);
  const [first] = await opened.stores.audit.listAfter("", 1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    audit: { id: first?.id, who: "console", what: "logged-in" },
  });
  expect(logged).not.toContain("Ann");
});
