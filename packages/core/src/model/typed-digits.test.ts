import { expect, test } from "vitest";
import { foldDigits } from "./typed-digits.ts";

test.each([
  ["Arabic", "٠١٢٣٤٥٦٧٨٩"],
  ["Persian", "۰۱۲۳۴۵۶۷۸۹"],
  ["Devanagari", "०१२३४५६७८९"],
  ["Bengali", "০১২৩৪৫৬৭৮৯"],
  ["Thai", "๐๑๒๓๔๕๖๗๘๙"],
  ["full-width", "０１２３４５６７８９"],
  ["mathematical", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"],
  ["Adlam", "𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙"],
])("reads %s digits", (_, typed) => {
  expect(foldDigits(typed)).toBe("0123456789");
});

test.each([
  " 123 456 ",
  "123-456",
  "123\u2010456",
  "123\u2011456",
  "123–456",
  "123—456",
  "123\u2212456",
  "123\u00ad456",
  "123\u00a0456",
  "123\u202f456",
  "123\u3000456",
  "\u200e123456\u200f",
  "\u202a123456\u202c",
  "\u2066123\u200b456\u2069",
  "\ufeff123456\r\n",
  "１２３－４５６",
  "\u200f١٢٣ ٤٥٦",
])("reads %j as 123456", (typed) => {
  expect(foldDigits(typed)).toBe("123456");
});

test("keeps letters, which recovery codes contain, and other characters, which no code contains", () => {
  expect(foldDigits("ＡＢＣＤ-１２３４ efgh")).toBe("ABCD1234efgh");
  expect(foldDigits("12.34_5a")).toBe("12.34_5a");
});

test("reads every decimal digit of Unicode as 0 to 9", () => {
  const characters = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
  const digits = characters.filter((character) => /\p{Nd}/u.test(character));
  expect(digits.length).toBeGreaterThan(600);
  expect(digits.map((digit) => foldDigits(digit)).join("")).toBe("0123456789".repeat(digits.length / 10));
});
