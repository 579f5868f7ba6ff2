import { expect, test } from "vitest";
import { auditedRecording, isAuditedRecording } from "../../src/modules/audit/rules/course-audit.ts";

const monday = Date.parse("2026-11-16T10:00:00Z");

test("a line about a recording has the title and time it had, if any", () => {
  const named = auditedRecording({ recordingId: "rec", title: "Cells", at: monday });
  expect(named).toEqual({ eventId: "recording:rec", title: "Cells", startsAt: monday });
  expect(isAuditedRecording(named)).toBe(true);
  expect(auditedRecording({ recordingId: "rec", title: null, at: monday }).title).toBe(null);
});

test("a session is never taken for a recording, whatever its name", () => {
  expect(isAuditedRecording({ eventId: "event", title: "event", startsAt: monday })).toBe(false);
});
