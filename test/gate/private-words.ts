/** Words that only this project used; the usual terms are in docs/words.md. */
export const retiredWords: readonly (readonly [string, RegExp])[] = [
  ["judgeShown, ShownGrade", /\bjudgeShown|ShownGrade\b/g],
  ["owed / owe / payOwed", /\b(?:owed|owe)\b|\w*Owed\w*/g],
  ["makeAhead, ready login", /\b\w+Ahead\b|\b\w*[rR]eadyLogin\w*/g],
  ["bury (people)", /\bbury\b|\b[bB]uried\w*/g],
  ["wordsOf, ...Why", /\bwordsOf\b|\b\w+Why\b/g],
  ["stray event", /\b\w*[sS]tray\w*/g],
  ["most, slice, patience (constants)", /\bconst (?:most|slice|patience)\b/g],
  ["told / tells", /\b\w*[tT]old\w*\b|\btells[A-Z]\w*/g],
  ["standing", /\b\w*[sS]tanding\w*\b/g],
  ["door", /\b\w*[dD]oor\w*\b/g],
  ["ahead", /\bahead\w*/g],
  ["stir, steadied, vouches", /\b(?:stir|steadied|vouches)\b/g],
  ["risen", /\b\w*[rR]isen\w*\b/g],
  ["want (of stores), manner, ...Asked", /\bwant[A-Z]\w*|\.want\(|\b\w*[mM]anner\w*|\b[A-Z]\w*Asked\b/g],
];

/** Names in stored records and of the tool's metrics: older than these rules, and never renamed. */
export const storedNames: ReadonlySet<string> = new Set([
  "ahead",
  "door",
  "doorTimes",
  "risenAt",
  "sectionsTold",
  "seenStanding",
  "told",
  "toldAt",
]);

/** The text of a file without comments and strings. */
export const codeOnly = (text: string): string =>
  text.replace(/\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "");

/** Names in a source text that have been replaced by another word. */
export function retiredIn(text: string): string[] {
  const code = codeOnly(text);
  return retiredWords.flatMap(([, word]) => code.match(word) ?? []).filter((word) => !storedNames.has(word));
}

/** Names that say too little: a path, a check, a session, what is stored. */
const vagueName =
  /\b(?:const|let|function|type) (?:(?:place|look|shown|kept|held|said|wanted|there)(?![a-z])\w*|\w*(?:Place|Look|Shown|Kept|Held|Said|Wanted|There)(?![a-z])\w*)/g;

export function vagueNamesIn(text: string): readonly string[] {
  return codeOnly(text).match(vagueName) ?? [];
}
