import { expect, test } from "vitest";
import { emailSchema, foldDomain, foldEmail } from "./email-address.ts";

const atext = Array.from("!#$%&'*+-/=?^_`{|}~");

test.each(atext)("accepts %s at each place before the @", (character) => {
  for (const local of [`${character}ann`, `a${character}n`, `ann${character}`, character])
    expect(emailSchema.parse(`${local}@example.com`)).toBe(`${local}@example.com`);
});

test.each([
  ["Ann@BÜCHER.example", "ann@xn--bcher-kva.example"],
  ["ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"],
  ["ann@bu\u0308cher.example", "ann@xn--bcher-kva.example"],
  ["ann@例え.テスト", "ann@xn--r8jz45g.xn--zckzah"],
  ["ann@例え。テスト", "ann@xn--r8jz45g.xn--zckzah"],
  ["ann@почта.рф", "ann@xn--80a1acny.xn--p1ai"],
  ["Ann@Example.COM", "ann@example.com"],
  ["a.n.n@mail.example.com", "a.n.n@mail.example.com"],
])("stores %s as %s, and compares it in this spelling", (typed, stored) => {
  expect(emailSchema.parse(typed)).toBe(stored);
  expect(foldEmail(typed)).toBe(stored);
  expect(emailSchema.parse(stored)).toBe(stored);
});

test.each([
  "",
  "ann",
  "@example.com",
  "ann@",
  "ann@localhost",
  "ann@192.0.2.1",
  "ann@１９２.0.2.1",
  "ann@[192.0.2.1]",
  ".ann@example.com",
  "ann.@example.com",
  "a..n@example.com",
  "ann@example..com",
  "ann@-example.com",
  "ann@example-.com",
  "ann@xn--a.example.",
  "ann@bücher.example/x",
  "ann@bücher.example:25",
  "ann@bücher%2eexample",
  "ann@bü\tcher.example",
  "ann@bü cher.example",
  "eve@evil.example@bücher.example",
  "ann,eve@bücher.example",
  "ann\r\nBcc: eve@bücher.example",
  "Ann <ann@example.com>",
  '"ann"@example.com',
  "änn@example.com",
  // The Kelvin sign, whose lower case is the letter k.
  "\u212aate@example.com",
  `${"x".repeat(309)}@example.com`,
])("rejects %j", (typed) => {
  expect(emailSchema.safeParse(typed).success).toBe(false);
});

test.each([
  ["BÜCHER.example", "xn--bcher-kva.example"],
  ["Example.COM", "example.com"],
  ["not a domain", "not a domain"],
  ["BÜCHER.example/x", "bücher.example/x"],
  ["xn--\u00ad.example", "xn--\u00ad.example"],
])("folds the domain %j to %j", (typed, folded) => {
  expect(foldDomain(typed)).toBe(folded);
});
