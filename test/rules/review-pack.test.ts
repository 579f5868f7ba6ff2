import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../docs/review");
const read = (page: string) => readFileSync(join(folder, page), "utf8");

/** A page's rows whose first cell has numbers, as cells. */
function rowsOf(page: string): string[][] {
  return read(page)
    .split("\n")
    .filter((line) => /^\| (?:\d+\.\d|[A-Z]{4}-\d)/.test(line))
    .map((line) => line.slice(1, -1).split("|"))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** "1.2.5–1.2.7, 1.3.1" as four numbers; a range stays within its section. */
function numbersIn(cell: string): string[] {
  return cell.split(", ").flatMap((part) => {
    const [first = "", last = first] = part.split("–");
    const [, section = "", from = ""] = /^(.*[.-])(\d+)$/.exec(first) ?? [];
    const [, same = "", to = ""] = /^(.*[.-])(\d+)$/.exec(last) ?? [];
    expect([part, same]).toEqual([part, section]);
    const many = Number(to) - Number(from) + 1;
    return Array.from({ length: many }, (_none, at) => section + String(Number(from) + at));
  });
}

/** How many requirements of level 1 and 2 a section of ASVS 5.0.0 has; they count from one. */
const asvs = `1.1 2, 1.2 9, 1.3 11, 1.4 3, 1.5 2, 2.1 3, 2.2 3, 2.3 4, 2.4 1, 3.2 2, 3.3 4, 3.4 6, 3.5 5, 3.7 2, 4.1 3, 4.2 1, 4.3 2,
  4.4 4, 5.1 1, 5.2 3, 5.3 2, 5.4 3, 6.1 3, 6.2 12, 6.3 4, 6.4 4, 6.5 5, 6.6 3, 6.8 4, 7.1 3, 7.2 4, 7.3 2, 7.4 5, 7.5 2, 7.6 2,
  8.1 2, 8.2 3, 8.3 1, 8.4 1, 9.1 3, 9.2 4, 10.1 2, 10.2 2, 10.3 4, 10.4 11, 10.5 5, 10.6 2, 10.7 3, 11.1 2, 11.2 3, 11.3 3,
  11.4 4, 11.5 1, 11.6 1, 12.1 3, 12.2 2, 12.3 4, 13.1 1, 13.2 5, 13.3 2, 13.4 5, 14.1 2, 14.2 4, 14.3 3, 15.1 3, 15.2 3, 15.3 7,
  16.1 1, 16.2 5, 16.3 4, 16.4 3, 16.5 3, 17.1 1, 17.2 4, 17.3 2`;
/** How many questions a section of HECVAT 4.1.5 has. */
const hecvat = `GNRL 9, COMP 5, REQU 8, DOCU 7, ITAC 18, THRD 5, CONS 9, APPL 14, AAAI 18, CHNG 16, DATA 23, DCTR 16, FIDP 11, PPPR 15,
  HFIH 4, VULN 6, HIPA 29, PCID 12, OPEM 10, PRGN 5, PCOM 4, PDOC 3, PTHP 2, PCHG 2, PDAT 8, PRPO 13, INTL 5, DRPV 15, DPAI 8,
  AIQU 2, AIGN 5, AIPL 5, AISC 5, AIML 8, AILM 7`;
/** The criteria of WCAG 2.2, by guideline. */
const wcag = {
  A: "1.1.1 1.2.1–1.2.3 1.3.1–1.3.3 1.4.1–1.4.2 2.1.1–2.1.2 2.1.4 2.2.1–2.2.2 2.3.1 2.4.1–2.4.4 2.5.1–2.5.4 3.1.1 3.2.1–3.2.2 3.2.6 3.3.1–3.3.2 3.3.7 4.1.2",
  AA: "1.2.4–1.2.5 1.3.4–1.3.5 1.4.3–1.4.5 1.4.10–1.4.13 2.4.5–2.4.7 2.4.11 2.5.7–2.5.8 3.1.2 3.2.3–3.2.4 3.3.3–3.3.4 3.3.8 4.1.3",
};

const counted = (sections: string, joint: string) =>
  sections.split(/,\s+/).flatMap((part) => {
    const [section = "", many = ""] = part.split(" ");
    return Array.from({ length: Number(many) }, (_none, at) => `${section}${joint}${String(at + 1)}`);
  });

const place = /`(?:test|src|views)\/[\w./-]+`|\]\([^)]+\)/;

describe.each([
  ["asvs.md", counted(asvs, "."), 253, ["Met", "Not met", "Not applicable", "Operator"]],
  ["hecvat.md", counted(hecvat, "-"), 332, ["Yes", "No", "Not applicable", "Operator"]],
] as const)("%s", (page, all, many, statuses) => {
  const rows = rowsOf(page);

  test("answers every number exactly once", () => {
    expect(all).toHaveLength(many);
    const plain = (number: string) => number.replace(/-0/, "-");
    expect(rows.flatMap(([numbers = ""]) => numbersIn(numbers).map(plain)).toSorted()).toEqual(
      all.toSorted(),
    );
  });

  test("gives one of the agreed words and a reason", () => {
    expect(rows.filter(([, status = ""]) => !statuses.some((one) => one === status))).toEqual([]);
    expect(rows.filter(([, , why = ""]) => why === "")).toEqual([]);
  });

  test("names a test or a place for each “Met”", () => {
    expect(rows.filter(([, status, why = ""]) => status === "Met" && !place.test(why))).toEqual([]);
  });
});

describe("accessibility-conformance.md", () => {
  const rows = rowsOf("accessibility-conformance.md");

  test.each([
    ["A", 31],
    ["AA", 24],
  ] as const)("has every criterion of level %s once", (level, many) => {
    const all = numbersIn(wcag[level].split(" ").join(", "));
    expect(all).toHaveLength(many);
    const named = rows.filter(([, of]) => of === level).map(([criterion = ""]) => criterion.split(" ")[0]);
    expect(named.toSorted()).toEqual(all.toSorted());
  });

  test("says how far each is supported, and by which test or inspection", () => {
    const statuses = ["Supports", "Partially supports", "Does not support", "Not applicable"];
    expect(rows.filter(([, , status = ""]) => !statuses.includes(status))).toEqual([]);
    const shown = /`test\/[\w./-]+`|\baxe\b|\bby hand\b|\bas 1\./;
    expect(rows.filter(([, , status, how = ""]) => status === "Supports" && !shown.test(how))).toEqual([]);
  });
});

/** test/rules/docs.test.ts checks that each named page, test and file exists. */
test.each(readdirSync(folder))("links of %s lead to existing headings", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)];
  const missing = links.filter(([, file = "", heading = ""]) => {
    const headings = [...read(file || page).matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) =>
      words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
    return !headings.includes(heading);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});
