import { expect, test } from "vitest";
import { qrView } from "../../../src/modules/check-in/pages/check-in-pages.ts";
import { readQr } from "../../support/read-qr.ts";

test.each([
  "https://spaces.example/check-in/cin_1?code=K7M2PX",
  `https://a-rather-long-name.of-a-university.example/check-in/cin_${"0".repeat(24)}?code=222222`,
])("another program reads %s from the code", (address) => expect(readQr(qrView(address))).toBe(address));

test("it has a margin of four squares on each side", () => {
  const { size, path } = qrView("https://spaces.example/check-in/cin_1?code=K7M2PX");
  const places = [...path.matchAll(/M(\d+) (\d+)h/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
  expect([Math.min(...places), Math.max(...places)]).toEqual([4, size - 5]);
});
