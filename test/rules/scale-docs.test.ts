import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Of each kind of record, the paths of its indexes: "registrationId, courseId, ...". */
const indexes = new Map(
  textOf("test/walls/storage/stored-shape.txt")
    .split("\n\n")
    .map((shape) => [
      /^\w+/.exec(shape)?.[0] ?? "",
      [...shape.matchAll(/^ {2}index (\{[^}]*\})/gm)].map(([, keys = ""]) =>
        [...keys.matchAll(/"([^"]+)":/g)].map(([, path = ""]) => path).join(", "),
      ),
    ]),
);

test("the page about scale names indexes that exist", () => {
  const named = [...textOf("docs/operate/scale.md").matchAll(/`(\w+)\(([\w, .]+)\)`/g)];
  expect(named.length).toBeGreaterThan(12);
  const missing = named.filter(
    ([, model = "", paths = ""]) =>
      !(indexes.get(model) ?? []).some((one) => one === paths || one.startsWith(`${paths}, `)),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});
