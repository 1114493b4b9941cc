import { expect, test } from "vitest";
import { headerText, isMailAddress } from "./address.ts";

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

test("removes line breaks from header text", () => {
  expect(headerText(" Ann\r\nBcc: eve@example.test\t\u0085\u2028x\0 ")).toBe("Ann Bcc: eve@example.test x");
});
