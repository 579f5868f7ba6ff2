import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const text = z.string().min(1);
const common = {
  /** The module, a slash, and what is wrong with it. */
  name: z.string().regex(/^[a-z-]+\/[a-z0-9-]+$/),
  /** The product's promise that the fault breaks. */
  breaks: text,
  file: text,
  /** Occurs exactly once in the file. */
  find: text,
  put: z.string(),
};
const mutantSchema = z.union([
  /** The cheapest test files that should notice. `equivalent`: why no test can. */
  z.strictObject({
    ...common,
    tests: z.array(z.string().regex(/^test\/.+\.test\.ts$/)).min(1),
    equivalent: text.optional(),
  }),
  /** A fault that only chance reveals: the seeds of simulated classes that should break a law. */
  z.strictObject({ ...common, seeds: z.array(z.number().int()).min(1) }),
  /** A fault that only a real browser in an LMS's frame reveals: the walk of npm run compatibility that turns red. */
  z.strictObject({ ...common, walk: text }),
]);
export type Mutant = z.output<typeof mutantSchema>;

/** The planted faults of `mutants.yaml`. @throws Error with an explanation of a row that is not valid. */
export function readMutants(): Mutant[] {
  const rows: unknown = parse(readFileSync(join(import.meta.dirname, "mutants.yaml"), "utf8"));
  const read = z.array(mutantSchema).min(1).safeParse(rows);
  if (read.success) return read.data;
  throw new Error(`test/mutants/mutants.yaml cannot be read: ${z.prettifyError(read.error)}`);
}

/** The file's text with the fault in it. @throws Error with an explanation when its place is missing or occurs twice. */
export function plant({ name, file, find, put }: Mutant, read: (file: string) => string): string {
  const [before = "", after, ...more] = read(file).split(find);
  const wrong = after === undefined ? "is not in" : "stands more than once in";
  if (after === undefined || more.length > 0)
    throw new Error(
      `The mutant ${name} no longer applies: its text to find ${wrong} ${file}. Bring it up to date in test/mutants/mutants.yaml.`,
    );
  return `${before}${put}${after}`;
}

/**
 * The mutants with these names, or of the module before the slash; all of them for an empty list. @throws Error with an explanation for a
 * name that no mutant has.
 */
export function chosen(mutants: readonly Mutant[], names: readonly string[]): Mutant[] {
  const isOf = (name: string) => (mutant: Mutant) =>
    mutant.name === name || mutant.name.startsWith(`${name}/`);
  const unknown = names.find((name) => !mutants.some(isOf(name)));
  if (unknown !== undefined)
    throw new Error(`No mutant is called ${unknown}. npm run mutants -- --list names them.`);
  return mutants.filter((mutant) => names.length === 0 || names.some((name) => isOf(name)(mutant)));
}
