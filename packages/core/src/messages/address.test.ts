import { expect, test } from "vitest";
import { headerText, isMailAddress, isPhoneNumber } from "./address.ts";

test.each(["ada@example.test", "ada+tag@sub.example.test", "o'hara@example.test"])("accepts the email address %s", (to) => {
  expect(isMailAddress(to)).toBe(true);
});

test.each([
  "",
  "ada",
  "ada@example.test\r\nBcc: eve@example.test",
  "ada@example.test\nBcc: eve@example.test",
  "ada@example.test\0",
  "ada@example.test\u2028",
  "ada@example.test, eve@example.test",
  "ada@example.test;eve@example.test",
  "Ada <ada@example.test>",
  "<ada@example.test>",
  "ada@eve@example.test",
  '"ada\r\nBcc: eve"@example.test',
  "ada @example.test",
  ` ada@example.test`,
  `${"a".repeat(400)}@example.test`,
])("rejects the email address %j", (to) => {
  expect(isMailAddress(to)).toBe(false);
});

test.each(["", "+", "0151123", "+49 151 123", "+49151123\n+49151124", "+49151123,+49151124", "tel:+49151123", "+1234567890123456", "+٤٩"])(
  "rejects the phone number %j",
  (to) => {
    expect(isPhoneNumber(to)).toBe(false);
  },
);

test("removes line breaks from header text", () => {
  expect(headerText(" Ann\r\nBcc: eve@example.test\t\u0085\u2028x\0 ")).toBe("Ann Bcc: eve@example.test x");
});
