import type { Connection, Schema } from "mongoose";
import { expect, test } from "vitest";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { kindsOn, openRecords } from "../../../src/storage/records.ts";

const { connection } = await forAllTests(openEmptyStores());

/** A field as one line: its path, its type, and its default. */
function fieldLines(schema: Schema, under = ""): string[] {
  return Object.entries(schema.paths).flatMap(([path, type]) => {
    const { required }: { required?: unknown } = type.options;
    const fallback: unknown = Reflect.get(type, "defaultValue");
    const given: unknown = typeof fallback === "function" ? Reflect.apply(fallback, null, []) : fallback;
    // A list and its entries have two types; an embedded schema lists its own fields.
    const entries: unknown = Reflect.get(type, "embeddedSchemaType");
    const of =
      typeof entries === "object" && entries !== null
        ? ` of ${String(Reflect.get(entries, "instance"))}`
        : "";
    const line = [
      `${under}${path}: ${type.instance}${of}`,
      required === true ? "required" : "",
      given === undefined ? "" : `default ${JSON.stringify(given)}`,
    ];
    const inner: unknown = Reflect.get(type, "schema");
    return [
      line.filter((part) => part !== "").join(" "),
      ...(isSchema(inner) ? fieldLines(inner, `${under}${path}.`) : []),
    ];
  });
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "paths" in value;
}

/** Everything a database has of the models' definitions: collections, fields and indexes in their order. */
function shapeOf(connection: Connection): string {
  const kinds = [...kindsOn(connection)].sort(([a], [b]) => a.localeCompare(b));
  return kinds
    .map(([modelName, { kind, collection, indexes: wanted }]) => {
      const { schema } = openRecords(connection, kind).model;
      const options = (["versionKey", "minimize", "strict"] as const).map(
        (name) => `${name} ${String(schema.get(name))}`,
      );
      const indexes = wanted.map(({ key, ...rest }) => {
        const more = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
        return `  index ${JSON.stringify(key)}${more}`;
      });
      const fields = fieldLines(schema)
        .sort()
        .map((line) => `  ${line}`);
      return [`${modelName} in ${collection} (${options.join(", ")})`, ...fields, ...indexes].join("\n");
    })
    .join("\n\n");
}

test("records are stored under exactly these names, with these fields and indexes", async () => {
  // Databases of earlier releases have this shape. To record a change of it:
  // vitest run test/walls/storage/stored-shape.test.ts --update
  await expect(`${shapeOf(connection)}\n`).toMatchFileSnapshot("stored-shape.txt");
});
