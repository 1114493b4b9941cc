import { expect, test } from "vitest";
import { fromBase64, fromHex, sameBytes, toBase64 } from "./bytes.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

test("sameBytes returns true only if the lengths and all bytes are equal", () => {
  expect(sameBytes(bytes(1, 2, 3), bytes(1, 2, 3))).toBe(true);
  for (const other of [bytes(0, 2, 3), bytes(1, 0, 3), bytes(1, 2, 0), bytes(1, 2), bytes(1, 2, 3, 0)]) {
    expect(sameBytes(bytes(1, 2, 3), other)).toBe(false);
  }
});

test("fromBase64 accepts base64 with or without padding, and toBase64 writes no padding", () => {
  expect(toBase64(bytes(255, 239, 254, 1))).toBe("/+/+AQ");
  for (const text of ["/+/+AQ", "/+/+AQ=="]) expect(fromBase64(text)).toEqual(bytes(255, 239, 254, 1));
  for (const text of ["_-_-AQ", "/+/+A", "/+/+AR", "AQ===", "A Q=", "a=b"]) expect(fromBase64(text)).toBeUndefined();
});

test("fromHex accepts pairs of hexadecimal digits and nothing else", () => {
  expect(fromHex("00Ff")).toEqual(bytes(0, 255));
  for (const text of ["0", "0g", " 00"]) expect(fromHex(text)).toBeUndefined();
});
