import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { weaknessOf } from "./secret-strength.ts";

describe("weaknessOf", () => {
  test.each([
    ["a".repeat(31), "is shorter than 32 characters"],
    ["a".repeat(32), "has fewer than 8 different characters"],
    ["changeme".repeat(4), "has fewer than 8 different characters"],
    ["12345678".repeat(4), "repeats its first 8 characters"],
    ["my-own-secret-my-own-secret-my-own", "repeats its first 14 characters"],
  ])("reports that '%s' %s", (secret, weakness) => {
    expect(weaknessOf(secret, 32)).toBe(weakness);
  });
});

test("accepts random secrets and a secret that starts with for-development-only", () => {
  expect(weaknessOf("for-development-only-0123456789abcdef", 32)).toBeUndefined();
  for (let i = 0; i < 10_000; i++) {
    const random = createHash("sha256").update(String(i)).digest();
    expect(weaknessOf(random.toString("hex").slice(0, 32), 32)).toBeUndefined();
    expect(weaknessOf(random.toString("base64"), 32)).toBeUndefined();
  }
});
