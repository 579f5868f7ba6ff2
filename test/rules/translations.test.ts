import { describe, expect, test } from "vitest";
import { catalogues } from "../support/catalogues.ts";
import { findingsOf, placesIn, templates } from "../gate/translations.ts";

const english = catalogues.get("en") ?? new Map<string, string>();
const others = [...catalogues].filter(([language]) => language !== "en");
const places = placesIn(templates());

describe("what translators read", () => {
  const planted = placesIn([
    '<button type="submit"><%= t("a.save") %></button>',
    '<%- pill("good", t("a.done")) %> <%- leadTo("/x", t("a.lead"), {}) %>',
    '<th scope="col"><%= t("a.head") %></th><p><%= t("a.prose") %></p>',
  ]);

  test("knows buttons, links, pills and heads of columns from the templates", () => {
    expect(Object.fromEntries(planted)).toEqual({
      "a.save": "button",
      "a.done": "pill",
      "a.lead": "button",
      "a.head": "column",
    });
  });

  test.each([
    ["a missing key", "a.prose", "Nothing is saved.", undefined, "missing"],
    ["a phrase that is still English", "a.prose", "Nothing is saved.", "Nothing is saved.", "English"],
    ["a long word on a pill", "a.done", "Done", "Vollständig und endgültig erledigt", "too long"],
    [
      "a tab that is a sentence",
      "nav.mine",
      "My attendance",
      "Alles über meine eigene Anwesenheit",
      "too long",
    ],
    ["a long button", "a.save", "Save", "Alle Änderungen dieser Seite speichern", "too long"],
  ])("finds %s", (_, key, text, own, kind) => {
    const theirs = new Map(own === undefined ? [] : [[key, own]]);
    expect(findingsOf(new Map([[key, text]]), theirs, planted)).toMatchObject([{ key, kind }]);
  });

  test.each([
    ["a cognate", "a.save", "Status", "Status"],
    ["what the LMS calls that", "console.values.canvas.keySet", "Public JWK URL", "Public JWK URL"],
    ["a long sentence with room for it", "a.prose", "No.", "Ein langer Satz, der seinen Platz hat."],
    ["a text as long as the English", "a.done", "Being made in the classroom", "Wird im Raum angelegt, ja"],
  ])("accepts %s", (_, key, text, own) => {
    expect(findingsOf(new Map([[key, text]]), new Map([[key, own]]), planted)).toEqual([]);
  });

  test("has places for many of the messages", () => expect(places.size).toBeGreaterThan(250));
});

test.each(others)("in %s nothing is missing, still English, or too long for its place", (_, messages) => {
  expect(findingsOf(english, messages, places)).toEqual([]);
});
