import { describe, expect, test } from "vitest";
import { createSealer } from "../../src/kernel/sealer.ts";
import { createSurveyTokens } from "../../src/modules/feedback/pages/ended-routes.ts";

const asked = {
  registrationId: "reg_1",
  courseId: "crs_1",
  personId: "per_1",
  occasion: { spaceId: "s1", eventId: null, heldAt: 1_700_000_000_000 },
  sessionId: null,
};
const time = { now: 1_800_000_000_000 };
const clock = { now: () => time.now, sleep: () => Promise.resolve() };
const tokens = (secretKey = "k".repeat(40), secretKeyPrevious?: string) =>
  createSurveyTokens({ sealer: createSealer(secretKey, secretKeyPrevious), clock });

describe("A survey's token", () => {
  test("says for an hour who was asked about what, readable only for us", () => {
    const token = tokens().issue(asked);
    for (const id of ["reg_1", "crs_1", "per_1"])
      expect(Buffer.from(token.slice(3), "base64url").includes(id)).toBe(false);
    expect(tokens().read(token)).toEqual(asked);
    time.now += 59 * 60_000;
    expect(tokens().read(token)).toEqual(asked);
    time.now += 2 * 60_000;
    expect(() => tokens().read(token)).toThrow(expect.objectContaining({ code: "survey-over" }));
  });

  test("is valid while the key is being changed, but with no other key", () => {
    const token = tokens("old ".repeat(10)).issue(asked);
    expect(tokens("new ".repeat(10), "old ".repeat(10)).read(token)).toEqual(asked);
    expect(() => tokens("new ".repeat(10)).read(token)).toThrow(
      expect.objectContaining({ code: "survey-over" }),
    );
  });

  test.each([undefined, null, 7, "", "a.b.c", ["x"], { token: "x" }])("cannot be %j", (token) => {
    expect(() => tokens().read(token)).toThrow(expect.objectContaining({ code: "survey-over", status: 403 }));
  });
});
