import { expect, test } from "vitest";
import { systemCodeOf, whyUnreachable } from "../../src/kernel/outside-reply.ts";

const coded = (code: string) => Object.assign(new Error("connect to 10.0.0.1?key=secret"), { code });
const late = new DOMException("late", "TimeoutError");

test.each<[string, unknown, string]>([
  ["an unknown name", coded("ENOTFOUND"), "its name is not known, ENOTFOUND"],
  [
    "a closed port, hidden in fetch's cause",
    new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }),
    "it refuses connections, ECONNREFUSED",
  ],
  [
    "a certificate of a private authority",
    coded("SELF_SIGNED_CERT_IN_CHAIN"),
    "its certificate is of an unknown authority; if that is your own, name it in NODE_EXTRA_CA_CERTS, SELF_SIGNED_CERT_IN_CHAIN",
  ],
  ["a time-out", late, "no answer in time"],
  [
    "a request that a time-out ended",
    Object.assign(new Error("aborted", { cause: late }), { code: "ABORT_ERR" }),
    "no answer in time",
  ],
  ["an unknown code", coded("EWHATEVER"), "EWHATEVER"],
])("%s is explained in words", (_what, thrown, words) => {
  expect(whyUnreachable(systemCodeOf(thrown) ?? "")).toBe(words);
});

test.each([new Error("x"), "ECONNREFUSED", null])("%s says nothing about the connection", (thrown) => {
  expect(systemCodeOf(thrown)).toBeNull();
});
