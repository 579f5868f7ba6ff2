import { exportAudit } from "../modules/audit/export-audit.ts";
import { type Command, operatorParts, UsageError } from "./command.ts";

/** audit export [--after ID]: --json gives one list instead of lines */
export const exportLog: Command = async (tools) => {
  const { after = "" } = tools.values;
  if (!/^(audit_[\w-]{1,60})?$/.test(after))
    throw new UsageError("--after is the id of an entry, as the last line of an export has it.");
  const lines: string[] = [];
  for await (const line of exportAudit(await operatorParts(tools), after)) lines.push(line.trimEnd());
  return { text: lines.join("\n"), json: lines.map((line): unknown => JSON.parse(line)) };
};
