/** Words that only this project used; the field's are in docs/words.md. Fields of stored records keep their names. */
export const retiredWords: readonly (readonly [string, RegExp])[] = [
  ["judgeShown, ShownGrade", /\bjudgeShown|ShownGrade\b/g],
  ["owed / owe / payOwed", /\b(?:owed|owe)\b|\w*Owed\w*/g],
  ["makeAhead, ready login", /\b\w+Ahead\b|\b\w*[rR]eadyLogin\w*/g],
  ["bury (people)", /\bbury\b|\b[bB]uried\w*/g],
  ["wordsOf, ...Why", /\bwordsOf\b|\b\w+Why\b/g],
  ["stray event", /\b\w*[sS]tray\w*/g],
  ["most, slice, patience (constants)", /\bconst (?:most|slice|patience)\b/g],
];

/** The text of a file without comments and strings. */
export const codeOnly = (text: string): string =>
  text.replace(/\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"/g, "");

/** Names in a source text that have another word by now. */
export function retiredIn(text: string): string[] {
  const code = codeOnly(text);
  return retiredWords.flatMap(([, word]) => code.match(word) ?? []);
}
