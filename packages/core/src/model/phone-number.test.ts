import { expect, test } from "vitest";
import { e164Fault, isE164, phoneNumberSchema, readPhoneNumber } from "./phone-number.ts";

test.each([
  ["+61412345678", "+61412345678"],
  [" +49 (151) 2345-6789 ", "+4915123456789"],
  ["+49.151.23456789", "+4915123456789"],
  // A number from the contacts of a phone: non-breaking separators between direction marks.
  ["\u202a+49\u00a0151\u201123456789\u202c", "+4915123456789"],
  ["＋６１　４１２　３４５　６７８", "+61412345678"],
  ["\u200f+٦١ ٤١٢ ٣٤٥ ٦٧٨", "+61412345678"],
  ["+६१४१२३४५६७८", "+61412345678"],
  // The leading 0 is part of Italian numbers, and of those of Côte d'Ivoire and Gabon.
  ["+39 06 1234 5678", "+390612345678"],
  ["+225 07 01 23 45 67", "+2250701234567"],
  ["+241 06 12 34 56", "+24106123456"],
  // Possible, but not assigned.
  ["+1 (555) 000-1111", "+15550001111"],
  ["+882 160001234", "+882160001234"],
])("reads %j as %s", async (typed, number) => {
  expect(await readPhoneNumber(typed)).toEqual({ number, isPossible: true });
});

test.each([
  ["+1", "+1"],
  ["+1 555 0100", "+15550100"],
  ["+61 412", "+61412"],
  ["+999 123 456 789", "+999123456789"],
])("reads %j as %s, whose length is not possible", async (typed, number) => {
  expect(await readPhoneNumber(typed)).toEqual({ number, isPossible: false });
});

test.each([
  ["+61 0412 345 678", "+61412345678"],
  ["+61 (0)412 345 678", "+61412345678"],
  ["+49 (0)30 123456", "+4930123456"],
  ["+44 07911 123456", "+447911123456"],
  ["+７ 8 912 345-67-89", "+79123456789"],
  ["+36 06 30 123 4567", "+36301234567"],
  ["+1 1 555 000 1111", "+15550001111"],
  ["0041 79 123 45 67", "+41791234567"],
  ["0041 079 123 45 67", "+41791234567"],
])("corrects %j to %s", async (typed, correction) => {
  expect(await readPhoneNumber(typed)).toEqual({ fault: `must be written as ${correction}`, correction });
});

test.each([
  "",
  "+",
  "0412 345 678",
  "61412345678",
  "+1234567890123456789012345",
  "00",
  "00 0041 79 123 45 67",
  "+1 800 FLOWERS",
  "+1 800 ＦＬＯＷＥＲＳ",
  "+1 415 555 2671 ext 5",
  "+14155552671;ext=5",
  "+14155552671x5",
  "tel:+14155552671",
  "+14155552671, +14155552672",
  "+14155552671\r\nto: +14155552672",
  "++14155552671",
  "+1+4155552671",
])("rejects %j", async (typed) => {
  expect(await readPhoneNumber(typed)).toEqual({
    fault: "must be a phone number in international form, with + and the country code",
  });
});

test("requires the stored form of values in a document, and names it", async () => {
  expect(await e164Fault("+61412345678")).toBeUndefined();
  for (const text of ["+61 412 345 678", "+61 0412 345 678", "＋61412345678"])
    expect((await phoneNumberSchema.safeParseAsync(text)).error?.issues).toMatchObject([{ message: "must be written as +61412345678" }]);
  expect((await phoneNumberSchema.safeParseAsync(61412345678)).success).toBe(false);
});

test.each(["", "+", "0151123", "+49 151 123", "+49151123\n+49151124", "+49151123,+49151124", "tel:+49151123", "+1234567890123456", "+٤٩"])(
  "%j is not a phone number in E.164 form",
  (text) => {
    expect(isE164(text)).toBe(false);
  },
);
