// Rules for the pages' JavaScript: what eslint recommends, and the sizes and habits of this house.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/.*/**", "**/_build/**", "**/build/**", "**/node_modules/**"] },
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { sourceType: "module", globals: { ...globals.browser, RULES: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "max-lines": ["error", 800],
      "max-lines-per-function": ["error", 40],
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_$" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["tests/**/*.js"], languageOptions: { globals: globals.node } },
];
