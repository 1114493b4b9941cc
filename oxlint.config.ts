import { defineConfig } from "oxlint";

const core = ["packages/core/src/**/*.{ts,tsx}"];
const tests = ["**/*.test.{ts,tsx}"];

/**
 * An override replaces the options of a rule. So each rule is configured in one place, and overrides only switch it on
 * or off.
 */
export default defineConfig({
  // Rules and actions as Auth0 exports them.
  ignorePatterns: ["test/servers/auth0-export/**"],
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import"],
  jsPlugins: ["./lint/plugin.ts"],
  options: { typeAware: true },
  categories: { correctness: "error" },
  rules: {
    "eslint/eqeqeq": "error",
    "eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
    // Of the type-aware rules, only those that find errors such as lost promises are on. These three also report
    // correct code.
    "typescript/no-base-to-string": "off",
    "typescript/restrict-template-expressions": "off",
    "typescript/unbound-method": "off",
    "typescript/ban-ts-comment": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/await-thenable": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "import/no-cycle": "error",
    "postern/no-barrel": "error",
  },
  overrides: [
    { files: core, rules: { "postern/floors": "error", "postern/clock": "error", "import/no-default-export": "error" } },
    { files: ["packages/core/src/adapters/**"], rules: { "postern/clock": "off" } },
    { files: tests, rules: { "postern/floors": "off", "postern/clock": "off" } },
  ],
});
