import { beforeEach, describe, expect, test } from "vitest";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { checkAudit } from "../../../src/modules/audit/check-audit.ts";
import { logAudit } from "../../../src/modules/audit/log-audit.ts";
import { writeAudit } from "../../../src/modules/audit/write-audit.ts";
import { checkWarnings } from "../../../src/modules/operations/check-warnings.ts";
import { purge } from "../../../src/modules/operations/purge.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";
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
/** Someone with the database's password. */
const rows = () => opened.connection.collection("auditentries");
const whys = async () => (await checkAudit(deps())).firstFaults.map(({ seq, why }) => `${seq} ${why}`);

beforeEach(async () => {
  opened = await openEmptyStores(opened);
  logged = "";
});

describe("the audit log", () => {
  test("has one order, although forty deeds are written down at once", async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => done(`deed ${at}`)));
    expect(await checkAudit(deps())).toMatchObject({ entries: 40, last: { seq: 40 }, faults: 0, outside: 0 });
  });

  test("shows that an entry was changed, or taken out", async () => {
    for (const on of ["a", "b", "c", "d"]) await done(on);
    await rows().updateOne({ "link.seq": 2 }, { $set: { what: "job-started" } });
    await rows().deleteOne({ "link.seq": 3 });
    expect(await whys()).toEqual(["2 changed", "4 missing"]);
  });

  test("shows that its end was cut off after a check, also when new entries took the numbers", async () => {
    for (const on of ["a", "b", "c"]) await done(on);
    expect(await whys()).toEqual([]);
    await rows().deleteMany({ "link.seq": { $gt: 1 } });
    expect(await whys()).toEqual(["3 missing"]);
    for (const on of ["x", "y", "z"]) await done(on);
    expect(await whys()).toEqual(["3 changed"]);
    expect(await whys()).toEqual(["3 changed"]);
  });

  test("shows that its end was cut off after the tool's own log had it", async () => {
    for (const on of ["a", "b"]) await done(on);
    await logAudit(deps());
    await rows().deleteOne({ "link.seq": 2 });
    expect(await whys()).toEqual(["2 missing"]);
  });

  test("begins where it is purged, without a fault", async () => {
    await done("old");
    time.now += 731 * 24 * 3_600_000;
    await done("new");
    await checkAudit(deps());
    await purge(deps());
    expect(await checkAudit(deps())).toMatchObject({ entries: 1, last: { seq: 2 }, faults: 0 });
  });

  test("counts what an instance of an earlier release writes beside it", async () => {
    await done("a");
    const { link: _link, salt: _salt, ...facts } = (await opened.stores.audit.chain(0, 1))[0] ?? fail();
    await opened.connection.model("AuditEntry").create({ ...facts, _id: "audit_old", at: time.now + 1 });
    await done("b");
    expect(await checkAudit(deps())).toMatchObject({ entries: 2, faults: 0, outside: 1 });
  });
});

describe("the tool's own log", () => {
  test("has each entry once, with its digest and without names", async () => {
    await done("Ann Example");
    await done("b");
    expect(await logAudit(deps())).toBe(2);
    expect(await logAudit(deps())).toBe(0);
    await done("c");
    expect(await logAudit(deps())).toBe(1);
    const lines = logged.trim().split("\n");
    expect(lines).toHaveLength(3);
    const [first] = await opened.stores.audit.chain(0, 1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      audit: { seq: 1, who: "console", what: "logged-in", digest: first?.link.digest },
    });
    expect(logged).not.toContain("Ann");
  });
});

test("an operator has an alarm until the faults are known", async () => {
  await done("a");
  await rows().updateOne({ "link.seq": 1 }, { $set: { on: "b" } });
  const { faults } = await checkAudit(deps());
  const found = async () => (await checkWarnings(warningDeps())).map(({ what }) => what);
  expect(await found()).toEqual(["audit-log"]);
  await opened.stores.auditWitness.accepted(faults);
  expect(await found()).toEqual([]);
  await done("c");
  await rows().updateOne({ "link.seq": 2 }, { $set: { on: "d" } });
  await checkAudit(deps());
  expect(await found()).toEqual(["audit-log"]);
});

function fail(): never {
  throw new Error("there is no entry");
}

function warningDeps() {
  return {
    ...deps(),
    ...{ unsentAlarmAfter: 3_600_000, silenceAlarmAfter: 3_600_000 },
    accounts: testAccounts(),
  };
}
