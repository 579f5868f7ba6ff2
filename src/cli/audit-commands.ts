import { open } from "node:fs/promises";
import { checkAudit, readChain } from "../modules/audit/check-audit.ts";
import { exportAudit } from "../modules/audit/export-audit.ts";
import { readAuditExport } from "../modules/audit/read-audit-export.ts";
import type { ChainReading } from "../modules/audit/rules/audit-chain.ts";
import { writeAudit } from "../modules/audit/write-audit.ts";
import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import { type Answer, type Command, operatorParts, UsageError } from "./command.ts";

/** audit export [--after NUMBER]: --json gives one list instead of lines */
export const exportLog: Command = async (tools) => {
  const { after = "0" } = tools.values;
  if (!/^\d{1,15}$/.test(after)) throw new UsageError("--after is the number of an entry, such as 120.");
  const lines: string[] = [];
  for await (const line of exportAudit(await operatorParts(tools), Number(after))) lines.push(line.trimEnd());
  return { text: lines.join("\n"), json: lines.map((line): unknown => JSON.parse(line)) };
};

/** audit verify [--file FILE] [--accept] */
export const verifyLog: Command = async (tools) => {
  const { file, accept } = tools.values;
  if (file !== undefined) {
    if (accept) throw new UsageError("--accept is about the audit log itself: leave --file out.");
    return answerOf(await readFileChain(file), file, 0);
  }
  const parts = await operatorParts(tools);
  const check = await checkAudit(parts);
  if (!accept) return answerOf(check, "The audit log", check.outside);
  await parts.auditWitness.accepted(check.faults);
  await writeAudit(parts, { what: "audit-faults-accepted", registrationId: null, on: String(check.faults) });
  return { ...answerOf(check, "The audit log", check.outside), bad: false };
};

async function readFileChain(file: string): Promise<ChainReading> {
  const opened = await open(file).catch((thrown: unknown) => {
    throw new UsageError(`The file cannot be read: ${messageOf(thrown)}`);
  });
  try {
    return await readChain(readAuditExport(opened.readLines()), systemClock.now());
  } finally {
    await opened.close();
  }
}

const reasons = {
  missing: "entries before it are missing",
  changed: "it is not what was written",
  unlinked: "it does not follow the one before",
} as const;

type Read = Pick<ChainReading, "entries" | "last" | "unnamed" | "faults" | "firstFaults">;

function answerOf(read: Read, what: string, outside: number): Answer {
  const { entries, last, unnamed, faults, firstFaults } = read;
  const end = entries === 0 ? "" : ` The last one is no. ${last.seq} with the digest ${last.digest}.`;
  const lines = [
    faults === 0
      ? `${what} is as it was written: ${entries} entries.${end}`
      : `${what} is not as it was written: ${faults} fault(s) in ${entries} entries.${end}`,
    ...firstFaults.map(({ seq, id, why }) => `  no. ${seq} ${id}: ${reasons[why]}`),
    ...(unnamed === 0 ? [] : [`In ${unnamed} entries nobody is named any more: the person was erased.`]),
    ...(outside === 0
      ? []
      : [
          `${outside} entries stand in no chain: an instance of an earlier release wrote them, or somebody by hand.`,
        ]),
  ];
  return { text: lines.join("\n"), json: { ...read, outside }, bad: faults > 0 };
}
