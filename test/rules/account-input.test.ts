import { describe, expect, test } from "vitest";
import { isAccountId } from "../../src/domain/account.ts";
import {
  type ReadInput,
  readAccountChange,
  readApiKey,
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

/** Field and problem; none of what was read. */
function problemsIn(read: ReadInput<unknown>): [string, string][] {
  return "problems" in read ? Object.entries(read.problems) : [];
}

test("a new account is read, its addresses as a browser writes them", () => {
  expect(readNewAccount(right)).toEqual({ value: { ...right, baseUrl: "https://api.classroom.example" } });
});

describe("a new account is refused, field by field:", () => {
  test.each([
    ["id", "", /lower-case/],
    ["id", "North", /lower-case/],
    ["id", "north college", /lower-case/],
    ["id", "1north", /lower-case/],
    ["id", "a".repeat(41), /lower-case/],
    ["id", "../admin", /lower-case/],
    ["id", "everything", /lower-case/],
    ["id", "production", /variables/],
    ["id", "staging", /variables/],
    ["name", "  ", /missing/],
    ["name", "n".repeat(81), /80/],
    ["stage", "test", /production or staging/],
    ["baseUrl", "api.classroom.example", /full http/],
    ["baseUrl", "ftp://api.classroom.example", /full http/],
    ["baseUrl", "https://me@api.classroom.example", /user name/],
    ["appUrl", "https://app.classroom.example/?a=1", /query/],
    ["apiKey", "short", /8 characters/],
    ["apiKey", "with a space in it", /ASCII/],
    ["webhookSecret", "fourteen-chars", /16 characters/],
    ["webhookSecret", "mit-einem-Umlaut-ä", /ASCII/],
  ] as const)("%s %j", (field, value, problem) => {
    const read = readNewAccount({ ...right, [field]: value });
    expect(problemsIn(read)).toEqual([[field, expect.stringMatching(problem)]]);
  });

  test("all that is wrong is said at once", () => {
    const read = readNewAccount({});
    expect(
      problemsIn(read)
        .map(([field]) => field)
        .sort(),
    ).toEqual(Object.keys(right).sort());
  });
});

test("a change needs only what changes, and cannot be empty text", () => {
  expect(readAccountChange({ name: "South" })).toEqual({ value: { name: "South" } });
  expect(problemsIn(readAccountChange({ name: "" }))).toEqual([["name", expect.stringMatching(/missing/)]]);
});

test("a key and a secret alone are held to the same rules", () => {
  expect(readApiKey("a-key-of-some-length")).toEqual({ value: { apiKey: "a-key-of-some-length" } });
  expect(problemsIn(readApiKey(undefined))).toEqual([["apiKey", expect.stringMatching(/missing/)]]);
  expect(readWebhookSecret("short")).toHaveProperty("problems.webhookSecret");
});

test("an account's id is never an id of ours, which have an underscore", () => {
  expect(isAccountId("reg_abc")).toBe(false);
});
