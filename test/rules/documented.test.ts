import { describe, expect, test } from "vitest";
import { defaultDialect } from "../../src/classroom/default-dialect.ts";
import { operationNames, type RouteDialect } from "../../src/classroom/dialect.ts";
import { basisOf, documented, operationBases } from "../../src/classroom/known-addresses.ts";

const route = (
  method: RouteDialect["method"],
  path: string,
  body: RouteDialect["body"] = null,
): RouteDialect => ({ method, path, body, query: {}, encoding: "json", words: {} });
const reply = { url: ["url"], expires: ["expires"] };

describe("What the document shows of an operation", () => {
  test.each([
    ["POST", "/users/{userId}/authorize", "documented"],
    ["GET", "/user/authorize", "documented"],
    ["POST", "/user/authorize", "method-assumed"],
    ["POST", "/sessions/{userId}/login", "assumed"],
  ] as const)("%s %s: the address is %s", (method, path, address) => {
    const told = basisOf("authorize", { reply }, route(method, path, { redirectUrl: "x", user: "y" }));
    expect(told).toEqual({ address, sent: ["user"], read: ["expires"] });
  });

  test("invents no address for an operation in the default dialect", async () => {
    const store = { find: () => Promise.resolve(null), answeredAt: () => Promise.resolve(null) };
    const bases = await operationBases({ baseUrl: "https://x.test", dialect: defaultDialect, store });
    expect(bases.filter(({ address }) => address === "assumed")).toEqual([]);
    const shown = operationNames.filter((name) => documented[name].addresses.length > 0);
    expect(bases.map(({ operation }) => operation)).toEqual(shown);
    // The document names fields of one operation only.
    const whole = bases.filter(({ sent, read }) => sent.length + read.length === 0);
    expect(whole.map(({ operation }) => operation)).toEqual(["authorize"]);
  });

  test("shows the route that worked, and when the service last answered it", async () => {
    const store = { find: () => Promise.resolve(1), answeredAt: () => Promise.resolve(1_000) };
    const bases = await operationBases({ baseUrl: "https://x.test", dialect: defaultDialect, store });
    const way = bases.find(({ operation }) => operation === "readRecordings");
    expect(way).toMatchObject({
      way: "POST /spaces/recordings",
      address: "method-assumed",
      answeredAt: 1_000,
    });
  });
});
