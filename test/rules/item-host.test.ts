import { describe, expect, test } from "vitest";
import { atListsHost } from "../../src/lms/line-items.ts";

const list = "https://lms.test/2/lineitems?type_id=1";
const item = (id: string, resourceId: string | null = null) => ({ id, resourceId });
const where = (id: string, from = list) => atListsHost(item(id), from)?.id ?? null;

describe("a line item's address", () => {
  test.each([
    ["of the list's host is kept", "https://lms.test/9?type_id=1", "https://lms.test/9?type_id=1"],
    ["by http on the list's host becomes https", "http://lms.test/9?a=b", "https://lms.test/9?a=b"],
    ["with the default port of https is the same", "https://lms.test:443/9", "https://lms.test:443/9"],
    ["on another host is left out", "https://other.test/9", null],
    ["on a subdomain of the list's host is left out", "https://x.lms.test/9", null],
    ["on another port is left out", "https://lms.test:8443/9", null],
    ["by http on another port is left out", "http://lms.test:8080/9", null],
    ["that only looks like the list's host is left out", "https://lms.test@other.test/9", null],
  ])("%s", (_how, id, expected) => expect(where(id)).toBe(expected));

  test("by https is left out if the list is on http", () => {
    expect(where("https://lms.test/9", "http://lms.test/2/lineitems")).toBeNull();
  });

  test("by http on the list's own port becomes https", () => {
    const from = "https://lms.test:8443/2/lineitems";
    expect(where("http://lms.test:8443/9", from)).toBe("https://lms.test:8443/9");
  });
});
