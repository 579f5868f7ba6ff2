import { expect, test } from "vitest";
import type { CourseAlert } from "../../src/modules/alerts/alerts.ts";
import { alertPriorityText, alertStatusText, alertView } from "../../src/modules/alerts/pages/alerts-view.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { createTranslator } from "../../src/web/translate.ts";

const translatorOf = createTranslator();
const monday = Date.parse("2026-11-16T10:00:00Z");

const notesOf = (language: string, facts: Partial<CourseAlert["alert"]>) => {
  const t = translatorOf(language);
  const words = { t, times: courseTimes({ timeZone: "UTC" }, t.locale), users: new Map<string, string>() };
  const { notes, history } = alertView(words, {
    alert: {
      environment: "production",
      alertId: "alert",
      alertType: "EVENT_NO_SHOW",
      status: "OPEN",
      priority: "MEDIUM",
      assigneeId: null,
      eventId: "event",
      closed: false,
      raisedAt: monday,
      changedAt: monday,
      readAt: null,
      history: [{ at: monday, eventType: "CREATE_ALERT", status: "OPEN", priority: null, updatedBy: null }],
      seen: null,
      revision: 1,
      ...facts,
    },
    session: { eventId: "event", title: "Cells", startsAt: monday, endsAt: null },
    came: 0,
  });
  return [...notes.slice(1), ...history];
};

test.each([
  ["en", "IN_PROGRESS", "in progress"],
  ["en", "Resolved", "resolved"],
  ["de", "in progress", "in Bearbeitung"],
  ["es", "closed", "cerrada"],
  ["en", "SNOOZED", "SNOOZED"],
])("people who read %s see the status %s as %s", (language, status, text) => {
  expect(alertStatusText(translatorOf(language), status)).toBe(text);
});

test.each([
  ["en", "MEDIUM", "medium"],
  ["fr", "high", "haute"],
  ["en", "2", "2"],
])("people who read %s see the priority %s as %s", (language, priority, text) => {
  expect(alertPriorityText(translatorOf(language), priority)).toBe(text);
});

test("shows an open alert's priority and history in words, without repeating that it is open", () => {
  expect(notesOf("en", {})).toEqual([
    "Priority: medium",
    "Mon 16 Nov 2026, 10:00: Raised, by the classroom (status open)",
  ]);
});

test("says that somebody works on an alert, or that it was closed with another outcome", () => {
  expect(notesOf("en", { status: "IN_PROGRESS", priority: null, history: [] })).toEqual([
    "Status: in progress",
  ]);
  expect(notesOf("en", { status: "CLOSED", closed: true, priority: null, history: [] })).toEqual([]);
  expect(notesOf("en", { status: "RESOLVED", closed: true, priority: null, history: [] })).toEqual([
    "Status: resolved",
  ]);
});
