import { property, assert, constantFrom, integer, option, record, array, string } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attentionKinds,
  type AttentionItem,
  type AttentionKind,
  inOrder,
  urgencies,
  type Urgency,
} from "../../src/modules/courses/rules/course.ts";

function item(kind: AttentionKind, urgency: Urgency, number = 1, name: string | null = null): AttentionItem {
  return { kind, urgency, number, name, at: null };
}

const any = array(
  record({
    kind: constantFrom(...attentionKinds),
    urgency: constantFrom(...urgencies),
    number: integer({ min: 0, max: 50 }),
    name: option(string({ maxLength: 3 })),
    at: option(integer()),
  }),
  { maxLength: 12 },
);

describe("What needs an instructor's attention", () => {
  test("is listed by urgency first, whatever its kind", () => {
    const listed = inOrder([
      item("recordings-ready", "know", 9),
      item("unmatched", "soon", 40),
      item("cohort-deleted", "now"),
    ]);
    expect(listed.map(({ kind }) => kind)).toEqual(["cohort-deleted", "unmatched", "recordings-ready"]);
  });

  test("is listed by kind within one urgency: an empty classroom before grades, grades before cohorts", () => {
    const listed = inOrder([
      item("cohort-deleted", "now"),
      item("scores-refused", "now", 30),
      item("event-no-show", "now"),
    ]);
    expect(listed.map(({ kind }) => kind)).toEqual(["event-no-show", "scores-refused", "cohort-deleted"]);
  });

  test("is listed by number, then by name, within one kind", () => {
    const listed = inOrder([
      item("cohort-deleted", "soon", 1, "Beta"),
      item("cohort-deleted", "soon", 1, "Alpha"),
      item("cohort-deleted", "soon", 3),
    ]);
    expect(listed.map(({ number, name }) => [number, name])).toEqual([
      [3, null],
      [1, "Alpha"],
      [1, "Beta"],
    ]);
  });

  test("leaves out kinds with a count of 0", () => {
    expect(inOrder([item("scores-held", "soon", 0)])).toEqual([]);
  });

  test("is listed in the same order however it was found, and nothing else is lost", () => {
    assert(
      property(any, (items) => {
        const listed = inOrder(items);
        expect(inOrder(items.toReversed())).toEqual(listed);
        expect(listed).toHaveLength(items.filter(({ number }) => number > 0).length);
      }),
    );
  });
});
