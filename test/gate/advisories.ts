import { z } from "zod";

const about = z.object({ title: z.string(), url: z.string().optional() });
const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), range: z.string(), via: z.array(z.union([z.string(), about])) }),
  ),
});
const failure = z.object({ message: z.string() });

/** What `npm audit --json` said, in lines for people. */
export type Advisories = {
  lines: string[];
  /** Whether a package that comes with the tool has one that is high or critical. */
  bad: boolean;
};

/**
 * @param said What npm printed; a registry that is out of reach, or knows no advisories, is no fault of the checkout, but it is said:
 * silence would read as "there are none".
 */
export function readAdvisories(said: string): Advisories {
  const parsed = report.safeParse(jsonOrNull(said));
  if (!parsed.success) {
    const { data } = failure.safeParse(jsonOrNull(said));
    const why = data === undefined ? "" : ` (${data.message.split(/ - |,/)[0] ?? ""})`;
    return {
      lines: [`not checked: no registry told of any${why}; ask again where one can be reached`],
      bad: false,
    };
  }
  const found = Object.entries(parsed.data.vulnerabilities);
  if (found.length === 0) return { lines: ["none"], bad: false };
  return {
    lines: found.map(([name, { severity, range, via }]) => {
      const told = via.map((one) =>
        typeof one === "string" ? `by ${one}` : [one.title, one.url].join(" ").trim(),
      );
      return `${severity}: ${name} ${range}: ${told.join("; ")}`;
    }),
    bad: found.some(([, { severity }]) => /^(high|critical)$/.test(severity)),
  };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
