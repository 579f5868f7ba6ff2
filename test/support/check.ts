import { spawnSync } from "node:child_process";

/** Everything that must hold at a commit, cheapest first; stops at the first failure. */
const steps: [string, string[]][] = [
  ["format", ["prettier", "--check", "."]],
  ["types", ["tsc", "--noEmit"]],
  ["lint", ["eslint", "."]],
  ["import arrows", ["depcruise", "src", "test", "--config", ".dependency-cruiser.cjs"]],
  ["unused code", ["knip"]],
  ["tests", ["vitest", "run"]],
];

for (const [name, [command = "", ...args]] of steps) {
  console.log(`\n== ${name}`);
  const ran = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, THOROUGH: "1" },
  });
  if (ran.status !== 0) {
    console.error(`\n${name}: failed`);
    process.exit(1);
  }
}
console.log("\nEverything holds.");
