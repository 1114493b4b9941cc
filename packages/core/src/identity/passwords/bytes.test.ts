import { expect, test } from "vitest";
import { fromBase64, fromHex, sameBytes, toBase64 } from "./bytes.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

test("keys are equal if every byte is equal", () => {
  expect(sameBytes(bytes(1, 2, 3), bytes(1, 2, 3))).toBe(true);
  for (const other of [bytes(0, 2, 3), bytes(1, 0, 3), bytes(1, 2, 0), bytes(1, 2), bytes(1, 2, 3, 0)]) {
    expect(sameBytes(bytes(1, 2, 3), other)).toBe(false);
  }
});

test("base64 is parsed with or without padding and written without", () => {
  expect(toBase64(bytes(255, 239, 254, 1))).toBe("/+/+AQ");
  for (const text of ["/+/+AQ", "/+/+AQ=="]) expect(fromBase64(text)).toEqual(bytes(255, 239, 254, 1));
  for (const text of ["_-_-AQ", "/+/+A", "/+/+AR", "AQ===", "A Q=", "a=b"]) expect(fromBase64(text)).toBeUndefined();
});

test("hexadecimal digits come in pairs", () => {
  expect(fromHex("00Ff")).toEqual(bytes(0, 255));
  for (const text of ["0", "0g", " 00"]) expect(fromHex(text)).toBeUndefined();
});
