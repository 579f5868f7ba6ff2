import tseslint from "typescript-eslint";
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
const unitNames = units.flatMap((unit) => [`^${unit}`, unit[0]?.toUpperCase() + unit.slice(1)]);
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

export default tseslint.config(
  { ignores: ["node_modules", "data", "coverage"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // TypeScript itself refuses enums (erasableSyntaxOnly); without these two, linting takes 8 % less.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      complexity: ["error", 12],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "no-restricted-syntax": ["error", processEnv, errorsByCode, ...numbersWithUnits],
      "no-console": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      // Marked only to stand out; plain http is refused in production by the configuration.
      "@typescript-eslint/no-deprecated": [
        "error",
        { allow: [{ from: "package", package: "openid-client", name: "allowInsecureRequests" }] },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    // One file of the domain lists the products.
    files: ["src/**/*.ts"],
    ignores: ["src/lms/products/**", "src/domain/lms-product.ts"],
    rules: {
      "no-restricted-syntax": ["error", processEnv, errorsByCode, ...lmsProduct, ...numbersWithUnits],
    },
  },
  {
    files: ["src/kernel/refusal.ts"],
    rules: { "no-restricted-syntax": ["error", processEnv, ...lmsProduct, ...numbersWithUnits] },
  },
  {
    // What talks to a terminal: in the tool the only files that may read the environment; the sandbox imitates LMS products.
    files: ["src/config.ts", "src/main.ts", "src/cli.ts", "sandbox/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", ...numbersWithUnits], "no-console": "off" },
  },
  {
    files: ["test/**/*.ts", "vitest.config.ts"],
    rules: { "no-restricted-syntax": "off", "no-console": "off" },
  },
  {
    // `{ type: String }` is how a mongoose schema names a type; the rule takes it for a lost `this`.
    files: [
      "src/storage/*.ts",
      "src/modules/*/store/*.ts",
      "src/inbox/store/*.ts",
      "test/walls/storage/*.ts",
      "test/bench/*.ts",
    ],
    rules: { "@typescript-eslint/no-unsafe-class-instance-assignment": "off" },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "max-lines": "off", complexity: "off" },
  },
);
