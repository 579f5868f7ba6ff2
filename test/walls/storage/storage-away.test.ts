import { mongo } from "mongoose";
import { expect, test } from "vitest";
import { storageAway } from "../../../src/storage/storage-away.ts";

/** A server's answer that a command failed. */
const answer = (code: number, errorLabels: string[] = []) =>
  new mongo.MongoServerError({ message: "refused", errmsg: "refused", code, errorLabels });

// The drivers' specifications "retryable reads" and "retryable writes", and what an election, a lock or a disk makes of a command.
const temporary = [
  ...[6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436],
  ...[24, 50, 64, 112, 133, 202, 317, 14031],
];

test.each(temporary)("the server's code %i is the store's trouble for a moment: 503, try again", (code) => {
  expect(storageAway(answer(code))).toMatchObject({ code: "storage-away", status: 503, temporary: true });
});

test("so is whatever a server labels as retryable, by any code", () => {
  for (const label of ["RetryableWriteError", "SystemOverloadedError"])
    expect(storageAway(answer(1, [label]))).toMatchObject({ status: 503, temporary: true });
});

test.each([2, 13, 14, 18, 28, 11000])("the server's code %i is not: somebody must mend something", (code) => {
  expect(storageAway(answer(code))).toBeNull();
});
