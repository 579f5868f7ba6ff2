import tseslint from "typescript-eslint";

const processEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Only src/config.ts reads the environment; take a value from Config.",
};

export default tseslint.config(
  { ignores: ["node_modules", "data", "coverage"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ["error", 12],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "no-restricted-syntax": ["error", processEnv],
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
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    // Programs that talk to a terminal, and the only files that may read the environment.
    files: [
      "src/config.ts",
      "src/main.ts",
      "src/cli.ts",
      "src/sandbox/**/*.ts",
      "test/**/*.ts",
      "vitest.config.ts",
    ],
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
