import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/**
 * Prints the software bill of materials (CycloneDX 1.6) of what comes with the tool. `npm sbom` leaves out packages that development needs
 * as well, so this reads the lock file itself. The same lock file gives the same text: no time and no random number is in it.
 */

const locked = z.object({
  version: z.string().default(""),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
  link: z.boolean().default(false),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});
const lockFile = z.object({ packages: z.record(z.string(), locked) });
const ownPackage = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  description: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

type Locked = z.infer<typeof locked>;
type Packages = ReadonlyMap<string, Locked>;

/** A lock file and package.json, as read. @returns the bill, to be printed as JSON. */
export function billOfMaterials(lockText: string, packageText: string) {
  const { packages } = lockFile.parse(JSON.parse(lockText));
  const own = ownPackage.parse(JSON.parse(packageText));
  const shipped: Packages = new Map(
    Object.entries(packages).filter(([path, { dev, link }]) => path !== "" && !dev && !link),
  );
  const components = new Map<string, ReturnType<typeof componentOf>>();
  const needs = new Map<string, Set<string>>();
  for (const [path, one] of shipped) {
    const component = componentOf(nameOf(path), one);
    components.set(component.purl, component);
    // One version may be installed at several places, each with others of its own around it.
    const found = needs.get(component.purl) ?? new Set();
    for (const purl of neededBy(path, one, shipped)) found.add(purl);
    needs.set(component.purl, found);
  }
  const root = purlOf(own.name, own.version);
  const direct = { ...locked.parse({}), dependencies: own.dependencies };
  needs.set(root, new Set(neededBy("", direct, shipped)));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        ...{ type: "application", "bom-ref": root, name: own.name, version: own.version },
        ...{ description: own.description, licenses: licencesOf(own.license), purl: root },
      },
    },
    components: [...components.values()],
    dependencies: [...needs].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() })),
  };
}

function componentOf(name: string, { version, license, integrity }: Locked) {
  const purl = purlOf(name, version);
  return {
    ...{ type: "library", "bom-ref": purl, name, version, purl },
    ...(license === undefined ? {} : { licenses: licencesOf(license) }),
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
  };
}

/** CycloneDX tells an SPDX id from an expression of several. */
function licencesOf(licence: string) {
  return / (OR|AND|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

function hashesOf(integrity: string) {
  return integrity.split(" ").map((one) => {
    const [algorithm = "", content = ""] = one.split("-", 2);
    return {
      alg: algorithm.replace(/^sha(\d)/, "SHA-$1"),
      content: Buffer.from(content, "base64").toString("hex"),
    };
  });
}

/** What a package loads, by Node's own rule: the nearest one on the way up. What is optional and not installed is left out. */
function neededBy(path: string, one: Locked, shipped: Packages): string[] {
  const names = [one.dependencies, one.optionalDependencies, one.peerDependencies].flatMap(Object.keys);
  return names.flatMap((name) => {
    for (let folder = path; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, "")) {
      const found = shipped.get(`${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
      if (found !== undefined) return [purlOf(name, found.version)];
      if (folder === "") return [];
    }
  });
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, "");
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, "..");
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  // An image has no lock file, but npm's list of what was installed, which is laid out alike.
  const lock = ["package-lock.json", "node_modules/.package-lock.json"].find((name) =>
    existsSync(join(root, name)),
  );
  if (lock === undefined) throw new Error("There is neither package-lock.json nor an installed package.");
  const bill = billOfMaterials(read(lock), read("package.json"));
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
}
