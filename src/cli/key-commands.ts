import { rotateKeys } from "../modules/operations/change-registration.ts";
import { resealAll } from "../modules/operations/reseal-all.ts";
import { type Command, operatorParts, timeText, word } from "./command.ts";

/** keys rotate ID [--now] */
export function rotate(words: readonly string[]): Command {
  const id = word(words, 0, "Which registration? See: npm run cli -- platform list");
  return async (tools) => {
    const atOnce = tools.values.now;
    const next = await rotateKeys(await operatorParts(tools), id, { atOnce });
    const before = atOnce
      ? "The others are withdrawn."
      : "The present one stays in the key set for a day after that.";
    return {
      text: `The key ${next.kid} is in the key set now and signs from ${timeText(next.usedFrom)}. ${before}`,
      json: { id, kid: next.kid, usedFrom: timeText(next.usedFrom) },
    };
  };
}

/** keys reseal */
export const reseal: Command = async (tools) => {
  const done = await resealAll(await operatorParts(tools));
  return {
    text: `${done.keys} key(s) and the secrets of ${done.accounts} classroom account(s) are sealed under the current SECRET_KEY; ${done.tokens} access token(s) were forgotten. SECRET_KEY_PREVIOUS can be taken away once every process runs with the current SECRET_KEY.`,
    json: done,
  };
};
