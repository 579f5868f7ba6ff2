import { z } from "zod";
import type { Assumption } from "./assumption.ts";
import { classroomAssumptions } from "./assumptions-of-classroom.ts";
import { lmsAssumptions } from "./assumptions-of-lms.ts";
import { spaceAssumptions } from "./assumptions-of-spaces.ts";
import { webhookAssumptions } from "./assumptions-of-webhooks.ts";

const all = { ...classroomAssumptions, ...spaceAssumptions, ...webhookAssumptions, ...lmsAssumptions };

export type AssumptionName = keyof typeof all;

/** Of both stand-ins. */
export const assumptions: Readonly<Record<AssumptionName, Assumption>> = all;

export const assumptionNames: readonly AssumptionName[] = Object.keys(all).filter(isAssumption);

export type Turned = ReadonlySet<AssumptionName>;

export const nothingTurned: Turned = new Set();

/** "all", "borne" (by tool or dialect file), or names with commas; a minus excludes one ("borne,-webhooksInOrder"). @throws Error */
export function turnedOf(words: string): Turned {
  const turned = new Set<AssumptionName>();
  for (const word of words.split(",").map((each) => each.trim())) {
    const name = word.replace(/^-/, "");
    if (word === "") continue;
    else if (word === "all") for (const each of assumptionNames) turned.add(each);
    else if (word === "borne") for (const each of assumptionNames.filter(isBorne)) turned.add(each);
    else if (!isAssumption(name)) throw new Error(`"${name}" is no assumption of the stand-ins.`);
    else if (word.startsWith("-")) turned.delete(name);
    else turned.add(name);
  }
  return turned;
}

/** As `turnedOf`, for a command line. */
export const turnedSchema = z.string().transform((words, context): Turned => {
  try {
    return turnedOf(words);
  } catch (thrown) {
    context.addIssue(
      `names what does not exist: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    return z.NEVER;
  }
});

function isBorne(name: AssumptionName): boolean {
  return assumptions[name].borneBy !== "nobody";
}

function isAssumption(name: string): name is AssumptionName {
  return Object.hasOwn(all, name);
}

const groups = [
  ["The classroom's API", classroomAssumptions],
  ["The classroom's Spaces, registers and pages", spaceAssumptions],
  ["The classroom's webhooks", webhookAssumptions],
  ["The LMS", lmsAssumptions],
] as const;
const borne = {
  tool: "The tool bears it as it is.",
  dialect: "The tool bears it with a dialect file.",
  nobody: "The tool does not bear it:",
};

/** The table as a page in Markdown (`assumptions.md`). */
export function assumptionsPage(): string {
  const parts = groups.flatMap(([heading, table]) => [
    `## ${heading}`,
    ...Object.entries<Assumption>(table).map(([name, one]) =>
      [
        `### ${name}\n`,
        `- Assumed: ${one.assumed}`,
        `- Opposite: ${one.opposite}`,
        `- Nobody knows: ${one.looked}`,
        `- Relied on by: ${one.reliedOn}`,
        `- ${borne[one.borneBy]}${one.loss === undefined ? "" : ` ${one.loss}`}`,
      ].join("\n"),
    ),
  ]);
  return `${opening}\n${parts.join("\n\n")}\n`;
}

const opening = `# What the stand-ins assume

Written from \`assumptions-of-*.ts\`; a test holds this page and the code together. Each assumption can be turned round: option
\`turned\` of a stand-in, \`--turned all\` on its command line, \`TURNED=all\` for the stories.
"Document" is the interface document of the Virtual Classroom Service; numbers are its parts.
`;
