export type SecretRule = {
  length: number;
  /** Fewest different characters; random secrets of this length have more. */
  different: number;
};

/** Of examples and of haste. */
const placeholders =
  /^(?:admin(?:istrator)?|change|classroom|console|default|demo|example|foo|bar|baz|here|insert|it|key|letmein|lti|me|metrics|my|pass|passw(?:or|o)d|passwort|placeholder|please|qwerty|qwertz|random|replace|secret|set|spaces|strong|test|the|this|to|token|value|very|webhooks?|welcome|with|x|your)+$/;

/** A year, or two. */
const maxGuessedDigits = 8;
/** Beside a year or a few digits and marks or a few digits and marks: "Summer2026!!" is what everybody tries first. */
const firstGuesses =
  /^(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|fr(?:ue|ü)hling|sommer|herbst|januar|februar|m(?:ae|ä)rz|mai|juni|juli|oktober|dezember|school|college|university|hochschule|schule|moodle|canvas|love|hello|iloveyou|football|dragon|monkey)+$/;

/** Why a secret is easily guessed, as the end of a sentence; null without a usual weakness, random or not. */
export function weaknessOf(secret: string, rule: SecretRule): string | null {
  if (secret.length < rule.length) return `must have at least ${rule.length} characters`;
  const letters = secret.toLowerCase().replace(/[^a-zäü]/g, "");
  if (letters.length * 2 >= secret.length && placeholders.test(letters))
    return "is a placeholder that others know";
  if (firstGuesses.test(letters) && secret.replace(/\D/g, "").length <= maxGuessedDigits)
    return "is one that everybody tries first: a season, month or common word with a year";
  if (new Set(secret).size < rule.different) return "has too few different characters";
  if (isRepetition(secret) || isSequence(secret)) return "repeats itself";
  return null;
}

function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) <= text.length / 2;
}

/** Characters in their order, such as 1234567890 or an alphabet. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0))).size <= 2;
}
