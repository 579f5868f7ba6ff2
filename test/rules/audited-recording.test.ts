import { expect, test } from "vitest";
import {
  auditedRecording,
  auditedTitle,
  isAuditedRecording,
} from "../../src/modules/audit/rules/course-audit.ts";

const monday = Date.parse("2026-11-16T10:00:00Z");

test("a line about a recording has its title and time, and none where it had none", () => {
  const named = auditedRecording({ recordingId: "rec", title: "Cells", at: monday });
  expect(named).toEqual({ eventId: "recording:rec", title: "Cells", startsAt: monday });
  expect([isAuditedRecording(named), auditedTitle(named)]).toEqual([true, "Cells"]);
  expect(auditedTitle(auditedRecording({ recordingId: "rec", title: null, at: monday }))).toBe(null);
});

test("an older line that has the recording's id as its title has none", () => {
  expect(auditedTitle({ eventId: "recording:rec", title: "rec", startsAt: monday })).toBe(null);
});

test("a session is no recording, whatever it is called", () => {
  const session = { eventId: "event", title: "event", startsAt: monday };
  expect([isAuditedRecording(session), auditedTitle(session)]).toEqual([false, "event"]);
});
