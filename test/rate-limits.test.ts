import { describe } from "vitest";
import { testRecipe } from "./support/rate-limit-recipe.ts";

describe("the rate limiter in memory of docs/rate-limits.md", () => {
  testRecipe({ heading: "Memory", env: {}, close: "undefined" });
});
