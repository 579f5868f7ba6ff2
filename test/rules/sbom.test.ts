import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { billOfMaterials } from "../../src/write-sbom.ts";
import { packageLicences } from "../gate/licences.ts";

const root = join(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const own = z
  .object({ devDependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read("package.json")));
const bill = billOfMaterials(read("package-lock.json"), read("package.json"));

describe("The bill of materials", () => {
  test("names every package that comes with the tool, with version and licence, and no other", () => {
    const shipped = packageLicences().filter(({ dev }) => !dev);
    expect(shipped.length).toBeGreaterThan(100);
    const line = (name: string, version: string, licence: string) => `${name} ${version} ${licence}`;
    const named = bill.components.map(({ name, version, licenses = [] }) =>
      line(name, version, licenses.map((one) => ("license" in one ? one.license.id : one.expression)).join()),
    );
    expect(new Set(named)).toEqual(
      new Set(shipped.map(({ name, version, licence }) => line(name, version, licence))),
    );
    // Twice in one bill would be two packages to whoever reads it.
    expect(new Set(named).size).toBe(named.length);
  });

  test("has the digest by which npm checks each package", () => {
    for (const { name, hashes = [] } of bill.components) {
      expect(
        hashes.map(({ alg }) => alg),
        name,
      ).toEqual(["SHA-512"]);
      expect(hashes[0]?.content, name).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  test("says what needs what: all of it is reached from the tool, and ltijs has its own Express", () => {
    const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const seen = new Set<string>();
    const walk = (ref: string) => {
      if (seen.has(ref)) return;
      seen.add(ref);
      for (const one of needs.get(ref) ?? []) walk(one);
    };
    walk(bill.metadata.component["bom-ref"]);
    // npm installs with the tool what development needs and a package may use, too; from the tool nothing leads there.
    const alsoOfDevelopment = Object.keys(own.devDependencies);
    const unreached = bill.components.filter((one) => !seen.has(one.purl)).map(({ name }) => name);
    expect(unreached.filter((name) => !alsoOfDevelopment.includes(name))).toEqual([]);
    const expressOf = (name: string) =>
      [...needs]
        .find(([ref]) => ref.startsWith(`pkg:npm/${name}@`))?.[1]
        .find((ref) => /\/express@/.test(ref));
    expect(expressOf("ltijs")).toMatch(/express@4/);
    expect(expressOf("spaces-lti")).toMatch(/express@5/);
  });

  test("is the same each time", () => {
    expect(billOfMaterials(read("package-lock.json"), read("package.json"))).toEqual(bill);
  });
});
