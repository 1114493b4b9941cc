import { expect, test } from "vitest";
import { parseKeyRing, toKeyRing } from "./key-ring.ts";

const [first, second] = ["first-0123456789abcdefghijklmnopqrst", "second+/0123456789abcdefghijklmnopq="];

test.each([
  [first, [{ id: "1", secret: first }]],
  [`2:${second}`, [{ id: "2", secret: second }]],
  [
    `2:${second}, 1:${first}`,
    [
      { id: "2", secret: second },
      { id: "1", secret: first },
    ],
  ],
])("a ring is read from '%s'", (text, ring) => {
  expect(parseKeyRing(text)).toEqual(ring);
  expect(toKeyRing(parseKeyRing(text))).toEqual(ring);
});

test("several secrets without ids are refused, and the error repeats none", () => {
  expect(() => parseKeyRing(`2:${second},${first}`)).toThrow(/id:secret/);
  expect(() => parseKeyRing(`2:${second},`)).toThrow(/^(?!.*0123456789)/);
});

test("a ring with two keys of one id, or with one that is easy to guess, is refused when it is used", () => {
  expect(() => toKeyRing(parseKeyRing(`1:${first},1:${second}`))).toThrow("two keys with the id '1'");
  expect(() => toKeyRing(parseKeyRing(""))).toThrow("the secret '1'");
});
