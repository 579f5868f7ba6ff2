import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import type { ContentItem } from "../../../src/modules/links/rules/link-offer.ts";
import type { PlatformFamily } from "../../../src/domain/lms-product.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createDeepLinkingAnswers } from "../../../src/lms/deep-linking-response.ts";
import { startServiceLms } from "../../support/stand-ins/service-lms.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const claims = "https://purl.imsglobal.org/spec/lti-dl/claim";
const publicUrl = "https://tool.test/spaces";
const item: ContentItem = {
  title: "Week 1",
  text: null,
  custom: { spaces_choice: "chc_1" },
  column: { points: 10, resourceId: "spaces-lti-session-e1", tag: "session", endsAt: null },
};

const lms = await forAllTests(startServiceLms());

/** The verified claims of an answer to an LMS of this family. */
async function answer(family: PlatformFamily, items: readonly ContentItem[], acceptTargets: string[] = []) {
  const sign = createDeepLinkingAnswers({
    toolKeys: lms.toolKeys,
    clock: systemClock,
    ids: randomIds,
    publicUrl,
  });
  const registration = { ...lms.registration, family };
  const jwt = await sign(registration, { deploymentId: "1", data: null, acceptTargets, items, error: null });
  const keys = createLocalJWKSet({ keys: await lms.toolKeys.publicKeys() });
  const { payload } = await jwtVerify(jwt, keys, {
    issuer: registration.clientId,
    audience: registration.issuer,
  });
  return payload;
}

describe("A link for the LMS", () => {
  test("has what Moodle's and Canvas's documents name, and no empty fields", async () => {
    const { [`${claims}/content_items`]: items } = await answer("moodle", [item], ["iframe", "window"]);
    expect(items).toEqual([
      {
        type: "ltiResourceLink",
        title: "Week 1",
        url: `${publicUrl}/lti/launch`,
        icon: { url: `${publicUrl}/assets/icon.svg`, width: 64, height: 64 },
        custom: { spaces_choice: "chc_1" },
        lineItem: {
          label: "Week 1",
          scoreMaximum: 10,
          resourceId: "spaces-lti-session-e1",
          tag: "session",
          submissionReview: {
            reviewableStatus: ["InProgress", "Submitted", "Completed"],
            url: `${publicUrl}/lti/launch`,
          },
        },
      },
    ]);
  });

  test("to a session sets the due date in Canvas, whose calendar shows it, but never an opening or closing time", async () => {
    const endsAt = Date.parse("2026-11-27T11:00:00Z");
    const { column } = item;
    if (column === null) throw new Error("the link has no column");
    const session = { ...item, column: { ...column, endsAt } };
    const { [`${claims}/content_items`]: inCanvas } = await answer("canvas", [session]);
    expect(inCanvas).toMatchObject([{ submission: { endDateTime: "2026-11-27T11:00:00.000Z" } }]);
    for (const family of ["moodle", "canvas", "other"] as const) {
      const { [`${claims}/content_items`]: items } = await answer(family, [session]);
      expect(JSON.stringify(items)).not.toContain("available");
      if (family !== "canvas") expect(JSON.stringify(items)).not.toContain("DateTime");
    }
  });

  test("has a size in Canvas's frames, and a new tab if Canvas accepts no frame", async () => {
    for (const [targets, presentation] of [
      [["iframe", "window"], { iframe: { width: 900, height: 700 } }],
      [["window"], { window: { targetName: "_blank" } }],
      [[], {}],
    ] as const) {
      const { [`${claims}/content_items`]: items } = await answer("canvas", [item], [...targets]);
      expect(items).toMatchObject([presentation]);
      expect(JSON.stringify(items).match(/"(iframe|window)"/g) ?? []).toHaveLength(
        Object.keys(presentation).length,
      );
    }
  });
});

test("an answer without links has an empty list, and two answers are never alike", async () => {
  const [first, second] = [await answer("other", []), await answer("other", [])];
  expect(first[`${claims}/content_items`]).toEqual([]);
  expect(first["nonce"]).not.toBe(second["nonce"]);
  expect(first).not.toHaveProperty(`${claims}/errormsg`);
});
