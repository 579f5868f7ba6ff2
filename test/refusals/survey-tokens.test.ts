import { describe, expect, test } from "vitest";
import { createSurveyTokens } from "../../src/modules/feedback/pages/survey-tokens.ts";

const asked = {
  registrationId: "reg_1",
  courseId: "crs_1",
  personId: "per_1",
  occasion: { spaceId: "s1", eventId: null, heldAt: 1_700_000_000_000 },
  sessionId: null,
  certain: false,
};
const time = { now: 1_800_000_000_000 };
const clock = { now: () => time.now, sleep: () => Promise.resolve() };
const tokens = (secretKey = "k".repeat(40), secretKeyPrevious?: string) =>
  createSurveyTokens({ secretKey, secretKeyPrevious, clock });

describe("A survey's token", () => {
  test("says who was asked about what, for an hour", async () => {
    const token = await tokens().issue(asked);
    expect(await tokens().read(token)).toEqual(asked);
    time.now += 59 * 60_000;
    expect(await tokens().read(token)).toEqual(asked);
    time.now += 2 * 60_000;
    await expect(tokens().read(token)).rejects.toMatchObject({ code: "survey-over" });
  });

  test("holds while the key is being changed, and not under any other key", async () => {
    const token = await tokens("old ".repeat(10)).issue(asked);
    expect(await tokens("new ".repeat(10), "old ".repeat(10)).read(token)).toEqual(asked);
    await expect(tokens("new ".repeat(10)).read(token)).rejects.toMatchObject({ code: "survey-over" });
  });

  test.each([undefined, null, 7, "", "a.b.c", ["x"], { token: "x" }])("is not %j", async (token) => {
    await expect(tokens().read(token)).rejects.toMatchObject({ code: "survey-over", status: 403 });
  });
});
