import { eachIn, modifiers, placeholdersIn } from "./fill-template.ts";

/** Every value a template may name, and which of them are lists. */
export type KnownValues = { values: readonly string[]; lists: ReadonlySet<string> };

/** Mistakes in a template of a path, query or body, one sentence each. */
export function templateMistakes(template: unknown, known: KnownValues): string[] {
  return [...unknownNames(template, known), ...misplacedLists(template, known, false)];
}

function unknownNames(template: unknown, { values }: KnownValues): string[] {
  return placeholdersIn(template).flatMap(({ value, modifier }) => {
    if (!values.includes(value)) return [`{${value}} is not known here (there are ${values.join(", ")})`];
    if (modifier === undefined || modifier in modifiers) return [];
    return [`{${value}:${modifier}} is not known (there are ${Object.keys(modifiers).join(", ")})`];
  });
}

/** @param inList Whether this is the entry of a list. */
function misplacedLists(template: unknown, known: KnownValues, inList: boolean): string[] {
  if (Array.isArray(template))
    return [
      ...listMistakes(template),
      ...template.flatMap((entry: unknown) => misplacedLists(entry, known, true)),
    ];
  if (typeof template === "object" && template !== null)
    return Object.values(template).flatMap((each) => misplacedLists(each, known, inList));
  return placeholdersIn(template).flatMap(({ value, modifier }) => {
    const isList = known.lists.has(value);
    if (modifier === "each") {
      if (!isList) return [`{${value}:each}: ${value} is one value, not a list`];
      return inList ? [] : [`{${value}:each} has its place in a list: ${example(value)}`];
    }
    if (isList && (inList || template !== `{${value}}`))
      return [`{${value}} is a whole list here; for one entry each write ${example(value)}`];
    return [];
  });
}

function listMistakes(list: readonly unknown[]): string[] {
  const names = [...new Set(list.flatMap(eachIn))];
  const [first] = names;
  if (first === undefined) return [];
  if (names.length > 1) return [`${names.map((name) => `{${name}:each}`).join(" and ")} need a list each`];
  return list.length > 1 ? [`a list with {${first}:each} has no other entry`] : [];
}

function example(value: string): string {
  return `[{ "userId": "{${value}:each}" }]`;
}
