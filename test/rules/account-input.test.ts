import { describe, expect, test } from "vitest";
import { isAccountId } from "../../src/domain/account.ts";
import {
  type ReadInput,
  readAccountChange,
  readApiKey,
  readConnection,
  readNewAccount,
  readWebhookSecret,
} from "../../src/modules/accounts/rules/account-input.ts";

const right = {
  id: "north-college",
  name: "North College",
  stage: "production",
  baseUrl: "https://api.classroom.example/",
  appUrl: "https://app.classroom.example",
  apiKey: "a-key-of-some-length",
  webhookSecret: "a-secret-of-some-length",
};

/** Each field with its problem, without the values. */
function problemsIn(read: ReadInput<unknown>): [string, string][] {
  return "problems" in read ? Object.entries(read.problems) : [];
}

test("reads a new account, with its addresses as a browser writes them", () => {
  expect(readNewAccount(right)).toEqual({ value: { ...right, baseUrl: "https://api.classroom.example" } });
});

describe("refuses a new account field by field:", () => {
  test.each([
    ["id", "", "missing"],
    ["id", "North", "not-an-id"],
    ["id", "north college", "not-an-id"],
    ["id", "1north", "not-an-id"],
    ["id", "a".repeat(41), "not-an-id"],
    ["id", "../admin", "not-an-id"],
    ["id", "everything", "not-an-id"],
    ["id", "feedback", "not-an-id"],
    ["id", "new", "not-an-id"],
    ["id", "production", "id-of-variables"],
    ["id", "staging", "id-of-variables"],
    ["name", "  ", "missing"],
    ["name", "n".repeat(81), "too-long"],
    ["stage", "test", "not-a-stage"],
    ["baseUrl", "api.classroom.example", "not-an-address"],
    ["baseUrl", "ftp://api.classroom.example", "not-an-address"],
    ["baseUrl", "https://me@api.classroom.example", "address-parts"],
    ["baseUrl", "https://:secret@api.classroom.example", "address-parts"],
    ["appUrl", "https://app.classroom.example/?a=1", "address-parts"],
    ["appUrl", "https://app.classroom.example/#", "address-parts"],
    ["appUrl", "https://app.classroom.example?", "address-parts"],
    ["apiKey", "short", "short-secret"],
    ["apiKey", "with a space in it", "not-ascii"],
    ["webhookSecret", "fourteen-chars", "short-webhook-secret"],
    ["webhookSecret", "mit-einem-Umlaut-ä", "not-ascii"],
    ["webhookSecret", "change-me-please-secret", "weak-secret"],
    ["webhookSecret", "abababababababababab", "weak-secret"],
    ["webhookSecret", "0123456789abcdef0123456789abcdef", "weak-secret"],
    ["dialect", "{", "bad-dialect"],
    ["dialect", '{"a":'.repeat(6_000) + "1" + "}".repeat(6_000), "bad-dialect"],
    ["callsPerSecond", "5", "too-many-calls"],
    ["callsPerSecond", "0", "too-many-calls"],
    ["callsPerSecond", "2.5", "too-many-calls"],
    ["callsPerSecond", "many", "too-many-calls"],
    ["analyticsSeconds", "1.9", "too-much-analytics"],
    ["analyticsSeconds", "3601", "too-much-analytics"],
  ] as const)("%s %j", (field, value, problem) => {
    expect(problemsIn(readNewAccount({ ...right, [field]: value }))).toEqual([[field, problem]]);
  });

  test("lists all problems together", () => {
    const read = readNewAccount({});
    expect(
      problemsIn(read)
        .map(([field]) => field)
        .sort(),
    ).toEqual(Object.keys(right).sort());
  });
});

test("a change needs only what changes, and refuses an empty text", () => {
  expect(readAccountChange({ name: "South" })).toEqual({ value: { name: "South" } });
  expect(problemsIn(readAccountChange({ name: "" }))).toEqual([["name", "missing"]]);
});

test("reads a dialect as JSON and limits as numbers, and uses the defaults for empty fields", () => {
  expect(
    readAccountChange({ dialect: '{"usersHaveRoles":true}', callsPerSecond: "2", analyticsSeconds: " 5 " }),
  ).toEqual({ value: { dialect: { usersHaveRoles: true }, callsPerSecond: 2, analyticsSeconds: 5 } });
  const most = { callsPerSecond: "4", analyticsSeconds: "3600" };
  expect(readAccountChange(most)).toEqual({ value: { callsPerSecond: 4, analyticsSeconds: 3_600 } });
  expect(readAccountChange({ callsPerSecond: "1", analyticsSeconds: "2" })).toHaveProperty("value");
  expect(readAccountChange({ dialect: "", callsPerSecond: "", analyticsSeconds: "" })).toEqual({
    value: { dialect: null, callsPerSecond: null, analyticsSeconds: null },
  });
});

test("a key or a secret sent alone follows the same rules", () => {
  expect(readApiKey("a-key-of-some-length")).toEqual({ value: { apiKey: "a-key-of-some-length" } });
  expect(problemsIn(readApiKey(undefined))).toEqual([["apiKey", "missing"]]);
  expect(readWebhookSecret("short")).toHaveProperty("problems.webhookSecret");
});

test("an institution gives both addresses, and the key only when it changes", () => {
  const { baseUrl, appUrl, apiKey } = right;
  expect(readConnection({ baseUrl, appUrl })).toEqual({
    value: { baseUrl: "https://api.classroom.example", appUrl },
  });
  expect(readConnection({ baseUrl, appUrl, apiKey })).toHaveProperty("value.apiKey", apiKey);
  expect(problemsIn(readConnection({ baseUrl: "", appUrl, apiKey: "short" }))).toEqual([
    ["baseUrl", "missing"],
    ["apiKey", "short-secret"],
  ]);
});

test("refuses one of our own ids, with an underscore, as an account's id", () => {
  expect(isAccountId("reg_abc")).toBe(false);
});
