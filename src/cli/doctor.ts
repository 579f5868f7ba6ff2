import { type DoctorReport, examineAll } from "../classroom/doctor/examine-all.ts";
import { finding, type Finding } from "../classroom/doctor/finding.ts";
import type { OperationBasis } from "../classroom/known-addresses.ts";
import { outsideLookup } from "../lms/outside-fetch.ts";
import { exchangesOf } from "../classroom/exchange.ts";
import { randomIds } from "../kernel/ids.ts";
import { examineDatabase } from "../storage/examine-database.ts";
import { accountNamed } from "./account-commands.ts";
import { type Command, UsageError, openAccounts } from "./command.ts";

export const doctor: Command = async (tools) => {
  const { create, space, account } = tools.values;
  if (space !== undefined && !create) throw new UsageError("--space is used with --create only.");
  const config = tools.config();
  const { throttle: store, addresses, classroomAccounts } = await tools.stores();
  const known = await openAccounts(config, { classroomAccounts });
  const accounts =
    account === undefined
      ? known.list().filter(({ paused }) => !paused)
      : [accountNamed(tools.values, known)];
  if (create) {
    const names = accounts.map(({ id }) => id).join(" and ");
    const aSpace = space === undefined ? ", a Space" : "";
    tools.say(
      `--create makes an API user of each role${aSpace} and a login, named "spaces-lti doctor ...", in ${names}.\nUsers and Spaces cannot be deleted through the classroom's interface.`,
    );
  }
  const onAccount = (id: string) => tools.say(`Asking the ${id} classroom ...`);
  const ofDatabase = (await examineDatabase(await tools.database())).map(({ level, message, todo }) =>
    finding(level, "database", message, todo === null ? {} : { todo }),
  );
  const examined = await examineAll(
    {
      config,
      store,
      addresses,
      ...exchangesOf(config, outsideLookup(config)),
      clock: await tools.clock(),
      ids: randomIds,
      onAccount,
    },
    { accounts, create, spaceId: space ?? null },
  );
  const report = {
    ...examined,
    tool: [...ofDatabase, ...examined.tool],
    well: examined.well && ofDatabase.every(({ level }) => level !== "wrong"),
  };
  return { text: doctorText(report), json: report, bad: !report.well };
};

const marks: Readonly<Record<Finding["level"], string>> = { fine: "ok   ", note: "note ", wrong: "WRONG" };
const indent = " ".repeat(6);

/** One line for what is fine, and what to do under what isn't. */
export function doctorText(report: DoctorReport): string {
  const parts = [
    section("This tool", report.tool),
    ...report.environments.map(({ environment, baseUrl, findings, bases, made }) =>
      [
        section(`${environment}  ${baseUrl}`, findings),
        "  What is documented, assumed, and answered by this service",
        ...bases.map(basisLines),
        ...(made === null
          ? []
          : [
              `${indent}made: host ${made.userId ?? "-"}, participant ${made.participantUserId ?? "-"}, Space ${made.spaceId ?? "-"}`,
            ]),
      ].join("\n"),
    ),
  ];
  return [...parts, summary(report)].join("\n\n");
}

const addressWords: Readonly<Record<OperationBasis["address"], string>> = {
  documented: "address documented",
  "method-assumed": "path documented, method assumed",
  assumed: "address assumed",
};

function basisLines({ operation, way, address, sent, read, ways, answeredAt }: OperationBasis): string {
  const names = (what: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`assumed names ${what}: ${all.join(", ")}`];
  const answered =
    answeredAt === null
      ? `not answered yet${ways > 1 ? ` (${ways} ways to try)` : ""}`
      : `answered on ${new Date(answeredAt).toISOString().slice(0, 10)}`;
  const facts = [addressWords[address], ...names("sent", sent), ...names("read", read), answered];
  return `${indent}${operation}  ${way}\n${indent}${indent}${facts.join("; ")}`;
}

export function section(title: string, findings: readonly Finding[]): string {
  const widest = Math.max(...findings.map(({ about }) => about.length));
  return [title, ...findings.map((one) => lines(one, widest))].join("\n");
}

function lines({ level, about, message, todo, reply }: Finding, widest: number): string {
  const under = " ".repeat(widest + 11);
  const indented = (text: string) => text.split("\n").join(`\n${under}`);
  return [
    `  ${marks[level]}  ${about.padEnd(widest)}  ${indented(message)}`,
    ...(todo === null ? [] : [`${under}-> ${indented(todo)}`]),
    ...(reply === null ? [] : [`${under}reply: ${reply}`]),
  ].join("\n");
}

function summary({ tool, environments }: DoctorReport): string {
  const all = [...tool, ...environments.flatMap(({ findings }) => findings)];
  const count = (level: Finding["level"]) => all.filter((one) => one.level === level).length;
  const wrong = count("wrong");
  const notes = count("note");
  const more = notes === 0 ? "" : ` ${notes === 1 ? "One note is" : `${notes} notes are`} worth a look.`;
  if (wrong === 0) return `Nothing is wrong.${more}`;
  return `${wrong === 1 ? "One thing is wrong." : `${wrong} things are wrong; begin with the first.`}${more}`;
}
