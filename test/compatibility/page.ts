import {
  type Cell,
  type Engine,
  engines,
  type Keeps,
  lmsKinds,
  lmsNames,
  policies,
  type Policy,
  type Way,
} from "./cells.ts";

/** What a walk found if not everything was right. */
export type Found = { keeps: Keeps; way: Way; version: string };

/** The outcome of a walk: both null if the browser is missing. */
export type Walked = {
  cell: Cell;
  found: Found | null;
  failed: { expected: string; picture: string | null } | null;
  isSecondTry?: boolean | undefined;
};

const titles: Record<Engine, string> = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKitGTK" };
const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map(line).join("\n");

/** The page with one part replaced. @throws if it has no such part */
export function inSection(page: string, name: string, text: string): string {
  const [before, ...after] = page.split(`<!-- ${name} -->`);
  const [, rest] = after.join("").split(`<!-- /${name} -->`);
  if (before === undefined || rest === undefined) throw new Error(`The page has no part ${name}.`);
  return `${before}<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->${rest}`;
}

/** One cell of the table: the walks of all roles. */
function fieldOf(walked: readonly Walked[]): string {
  const red = walked.filter(({ failed }) => failed !== null);
  if (red.length > 0) return `**red: ${red.map(({ cell }) => cell.role).join(", ")}**`;
  const ways = new Set(walked.map(({ found }) => (found === null ? "not driven" : `✓ ${found.way}`)));
  return [...ways].join(", ");
}

/** @param run.pictures The folder of pictures, as the page names it. */
export function pageOfWalks(
  all: readonly Walked[],
  run: { day: string; minutes: number; cores: number; pictures: string },
): string {
  const of = (engine: Engine, policy: Policy) =>
    all.filter(({ cell }) => cell.engine === engine && cell.policy === policy);
  const versions = engines.flatMap((engine) => {
    const version = all.find(({ cell, found }) => cell.engine === engine && found !== null)?.found?.version;
    return version === undefined ? [] : [`${titles[engine]} ${version}`];
  });
  const green = all.filter(({ found }) => found !== null).length;
  const again = all.filter(({ isSecondTry }) => isSecondTry === true).length;
  const columns = engines.flatMap((engine) => policies.map((policy) => ({ engine, policy })));
  const rows = lmsNames.map((lms) => [
    lmsKinds[lms].title,
    ...columns.map(({ engine, policy }) =>
      fieldOf(of(engine, policy).filter(({ cell }) => cell.lms === lms)),
    ),
  ]);
  const kept = policies.map((policy) => [
    policy,
    ...engines.map((engine) =>
      [...new Set(of(engine, policy).map(({ found }) => found?.keeps ?? "not seen"))].join(", "),
    ),
  ]);
  const failures = all.flatMap(({ cell, failed }) => {
    if (failed === null) return [];
    const picture = failed.picture === null ? "" : ` ([picture](${run.pictures}/${failed.picture}))`;
    return [`- **${cell.name}**${picture}: ${failed.expected}`];
  });
  const heads = engines.map((engine) => titles[engine]);
  return [
    `${run.day}, ${versions.join(", ")}: **${green} of ${all.length} walks are green**${again === 0 ? "" : ` (${again} at the second try)`}, in ${run.minutes} minutes on ${run.cores} cores.`,
    table(["LMS", ...columns.map(({ engine, policy }) => `${titles[engine]}, ${policy}`)], rows),
    ...(failures.length === 0 ? [] : [failures.join("\n")]),
    "Cookies of the tool that the browser kept in the frame:",
    table(["Set to", ...heads], kept),
  ].join("\n\n");
}

/** @param red The faults whose walk noticed them. */
export function pageOfPlanted(
  planted: readonly { name: string; breaks: string; walk: string }[],
  red: readonly { name: string }[],
  day: string,
): string {
  const isRed = ({ name }: { name: string }) => red.some((one) => one.name === name);
  const rows = planted.map((one) => [one.breaks, one.walk, isRed(one) ? "red" : "**green**"]);
  return [
    `${day}: **${red.length} of ${planted.length} planted faults turned their walk red.**`,
    table(["What each breaks", "Walk", "Seen"], rows),
  ].join("\n\n");
}
