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
])("parses a key ring from '%s'", (text, ring) => {
  expect(parseKeyRing(text)).toEqual(ring);
  expect(toKeyRing(parseKeyRing(text))).toEqual(ring);
});

test("rejects several secrets without ids, with an error that contains none of them", () => {
  expect(() => parseKeyRing(`2:${second},${first}`)).toThrow(/id:secret/);
  expect(() => parseKeyRing(`2:${second},`)).toThrow(/^(?!.*0123456789)/);
});

test("toKeyRing rejects a key ring with a repeated id or a weak secret", () => {
  expect(() => toKeyRing(parseKeyRing(`1:${first},1:${second}`))).toThrow("two keys with the id '1'");
  expect(() => toKeyRing(parseKeyRing(""))).toThrow("the secret with the id '1'");
});
