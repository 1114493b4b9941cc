import { expect, test } from "vitest";
import { unissuedValue } from "./comparison.ts";

test.for(["actMvqhRVJ7ItN3DoNoIblEenuBzNtOPuOOcJWvIEsI", "ABCDEFGHIJKLMNOPQRSTUVWXY234567"])(
  "an unissued value for the base32 text %s is base32 too",
  (value) => {
    expect(unissuedValue(value)).toMatch(/^[A-Za-z2-7]+$/);
    expect(unissuedValue(value)).not.toBe(value);
  },
);

test("an unissued value for text with the digits 0, 1, 8 and 9 is not base32 either", () => {
  for (const digit of ["0", "1", "8", "9"]) expect(unissuedValue(`zz${digit}`)).toMatch(/^zz[0189]$/);
});

test("an unissued value has the prefix of the value", () => {
  expect(unissuedValue("auth0|5f7c8ec7c33c6c004bbafe82")).toMatch(/^auth0\|[0-9a-z]{24}$/);
});
