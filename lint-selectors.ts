import { relative } from "node:path";
import type { RuleTester } from "oxlint/plugins-dev";
import { lmsFamilies } from "./src/domain/lms-product.ts";

const processEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Only src/config.ts reads the environment; take a value from Config.",
};

/** Sentences of errors stand in two tables, by code. */
const errorsByCode = {
  selector: "NewExpression[callee.name='NamedError']",
  message:
    "Throw refusal(code): its sentence stands in views/locales/en/errors.json, or for operators in src/kernel/operator-sentences.ts.",
};

/** What a number of a module's own counts, as the end of its name; `max...` and `min...` name what is counted themselves. */
const units = [
  ..."ms seconds minutes hours days weeks years".split(" "),
  ..."bytes length characters size count limit rows lanes rounds tries attempts depth width".split(" "),
  ..."share ratio factor code mode version".split(" "),
];
const unitNames = units.flatMap((unit) => [`^${unit}`, `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}`]);
const timeNames = ["second", "minute", "hour", "day", "week"].map((time) => `^${time}`);
const withUnit = `/(${[...unitNames, ...timeNames].join("|")})$|Per[A-Z][A-Za-z]*$|^(max|min)[A-Z]/`;
const ofModule = `:matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[id.name!=${withUnit}]`;
const numbersWithUnits = [
  "[init.raw=/^[0-9][0-9_.]*(e[0-9]+)?$/]",
  '[init.type="BinaryExpression"][init.operator="*"]',
].map((number) => ({
  selector: ofModule + number,
  message: "Say the unit at the end of its name (docs/words.md): waitMs, pageSize, maxRows.",
}));

/**
 * An LMS product decides nothing outside its adapter: no name of one, and no choice by `family` or `wording`. "other" is also a
 * family of webhooks, and only a word elsewhere, so it counts beside such a name only.
 */
const names = `/^(${lmsFamilies.filter((family) => family !== "other").join("|")})$/`;
const chooser = "/([fF]amily|wording)$/";
const askForCapability =
  "Ask capabilitiesOf(registration), or productOf(registration) in lms: only src/lms/products decides by product.";
const lmsProduct = [
  `Literal[value=${names}]`,
  `TemplateElement[value.raw=${names}]`,
  `ObjectExpression > Property[key.name=${names}]`,
  ...["left", "right"].flatMap((side) => {
    const comparison = `BinaryExpression[operator=/^[!=]==?$/][${side === "left" ? "right" : "left"}.value="other"]`;
    return [
      `${comparison}[${side}.name=${chooser}]`,
      `${comparison} > MemberExpression.${side}[property.name=${chooser}][object.name!="webhook"]`,
      `${comparison} > ChainExpression.${side} > MemberExpression[property.name=${chooser}]`,
    ];
  }),
  `SwitchStatement[discriminant.name=${chooser}]`,
  `SwitchStatement > MemberExpression.discriminant[property.name=${chooser}][object.name!="webhook"]`,
  `MemberExpression[computed=true][property.name=${chooser}]`,
  `MemberExpression[computed=true] > MemberExpression.property[property.name=${chooser}][object.name!="webhook"]`,
].map((selector) => ({ selector, message: askForCapability }));

type Selector = { selector: string; message: string };
/** What files may not hold; of those that fit a file's path, the last counts. */
const restricted: readonly { files: RegExp; selectors: readonly Selector[] }[] = [
  { files: /^src\//, selectors: [processEnv, errorsByCode, ...lmsProduct] },
  // One file of the domain lists the products.
  { files: /^src\/(lms\/products\/|domain\/lms-product\.ts$)/, selectors: [processEnv, errorsByCode] },
  { files: /^src\/kernel\/refusal\.ts$/, selectors: [processEnv, ...lmsProduct] },
  // What talks to a terminal: in the tool the only files that may read the environment; the sandbox imitates LMS products.
  { files: /^(src\/(config|main|cli)\.ts$|sandbox\/)/, selectors: [] },
];

type Rule = Parameters<RuleTester["run"]>[1];
type Place = { range: [number, number] };

export const selectors: Rule = {
  create: (context) => {
    const path = relative(import.meta.dirname, context.filename).replaceAll("\\", "/");
    const found = restricted.findLast(({ files }) => files.test(path));
    if (found === undefined) return {};
    return Object.fromEntries(
      [...found.selectors, ...numbersWithUnits].map(({ selector, message }) => [
        selector,
        (node: Place) => context.report({ node, message }),
      ]),
    );
  },
};

/** What this project forbids by its own selectors, as a plugin of oxlint's; all other rules are in .oxlintrc.json. */
export default { meta: { name: "own" }, rules: { selectors } };
