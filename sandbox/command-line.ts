import { parseArgs } from "node:util";
import { z } from "zod";

/** A port number, as typed. */
export const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, "must be a port number (0 to 65535)")
  .transform(Number);

export const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of: ${words.join(", ")}` });

const inputSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({
      type: z.string().optional(),
      default: z.unknown().optional(),
      description: z.string().default(""),
    }),
  ),
});

/** Waits for a stand-in to start. If its port is not available, the process ends with 2 and an explanation. @throws other errors */
export async function startedOrEnd<Started>(starting: Promise<Started>): Promise<Started> {
  try {
    return await starting;
  } catch (thrown) {
    const { code, port: taken } = listenError.catch({ code: "", port: 0 }).parse(thrown);
    if (code === "EADDRINUSE")
      console.error(`Port ${taken} is in use. Stop what listens there, or give --port another one.`);
    else if (code === "EACCES")
      console.error(`This user may not listen on port ${taken}. Give --port one above 1023.`);
    else throw thrown;
    return process.exit(2);
  }
}

const listenError = z.object({ code: z.string(), port: z.number() });

const typedSchema = z.object({ values: z.record(z.string(), z.unknown()), positionals: z.array(z.string()) });

/**
 * Reads the command line of a stand-in. `--help` prints the options and ends the process with 0; a wrong option is named in an explanation
 * and ends it with 2. @param command How a person starts the program. @param options An object of fields with descriptions; `prefault`
 * gives the default as typed, booleans are switches, and `names` takes the words without dashes.
 */
export function readOptions<Options extends z.ZodObject>(
  command: string,
  options: Options,
): z.output<Options> {
  const { properties } = inputSchema.parse(z.toJSONSchema(options, { io: "input", unrepresentable: "any" }));
  const { names, ...named } = properties;
  const takesNames = names !== undefined;
  const known = Object.entries(named);
  const wrong = (problem: string): never => {
    console.error(`${problem}\nTo see all options: ${command} --help`);
    process.exit(2);
  };
  const typed = (): Record<string, unknown> => {
    const all = known.map(
      ([name, { type }]) => [name, { type: type === "boolean" ? type : "string" }] as const,
    );
    try {
      const { values, positionals } = typedSchema.parse(
        parseArgs({
          options: { ...Object.fromEntries(all), help: { type: "boolean", short: "h" } },
          allowPositionals: takesNames,
        }),
      );
      return takesNames ? { ...values, names: positionals } : values;
    } catch (thrown) {
      // Node's first sentence names the option; the others explain dashes.
      return wrong((thrown instanceof Error ? thrown.message : String(thrown)).split(". ")[0] ?? "");
    }
  };
  const { help, ...values } = typed();
  if (help === true) {
    const lines = known.map(
      ([name, { description, default: usual }]) =>
        `  --${name.padEnd(16)} ${description}${typeof usual === "string" && usual !== "" ? ` (${usual})` : ""}`,
    );
    const words = takesNames ? `[name ...] [options]\n\n  names: ${names.description}` : "[options]";
    console.log(`${command} ${words}\n\n${lines.join("\n")}`);
    process.exit(0);
  }
  const read = options.safeParse(values);
  return read.success
    ? read.data
    : wrong(
        read.error.issues
          .map(({ path, message }) => `${path[0] === "names" ? "names" : `--${path.join(".")}`} ${message}`)
          .join("\n"),
      );
}
