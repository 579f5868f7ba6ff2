import { describe, expect, test } from "vitest";
import type { Invitation } from "../../../src/domain/registration.ts";
import { showInvitation } from "../../../src/modules/registration/registrations.ts";

const now = 1_000_000;
const open: Invitation = { id: "inv", environment: "staging", expiresAt: now + 1, usedAt: null };

function shown(invitation: Invitation | null) {
  const deps = {
    invitations: { find: () => Promise.resolve(invitation) },
    publicUrl: "https://tool.example",
    clock: { now: () => now, sleep: () => Promise.resolve() },
  };
  return showInvitation(deps, "a/b");
}

describe("An invitation that somebody opens", () => {
  test("is shown with its address until it expires", async () => {
    expect(await shown(open)).toEqual({
      invitation: open,
      url: "https://tool.example/lti/register?invite=a%2Fb",
    });
  });

  test.each<[string, Invitation | null, string, number]>([
    ["unknown", null, "invitation-invalid", 403],
    ["expired", { ...open, expiresAt: now }, "invitation-expired", 410],
    ["used", { ...open, usedAt: now - 5 }, "invitation-used", 410],
    ["used and expired", { ...open, usedAt: now - 5, expiresAt: now - 1 }, "invitation-used", 410],
  ])("is refused if it is %s", async (_name, invitation, code, status) => {
    await expect(shown(invitation)).rejects.toMatchObject({ code, status });
  });
});
