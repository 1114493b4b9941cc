import type { JsonObject } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { equal } from "../failure.ts";
import { checkEveryMethod, storesEach } from "./every-method.ts";

const parsed = (text: string): JsonObject => JSON.parse(text);

const integers = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, -Number.MAX_SAFE_INTEGER, -1, 0, 2 ** 31, 2 ** 32];

export const nullIsNotEmpty = "values: null is not ''";

export const valueCases = [
  define(nullIsNotEmpty, "A missing name and an empty name are different. Some stores confuse the two.", ["nullableText"], async (s) => {
    const { nullableText: field } = s.fields;
    await storesEach(s, field, [null, ""]);
    const check = await checkEveryMethod(s, field, s.rows(field, [null, ""]));
    await check("null", { [field]: null }, [null]);
    await check("''", { [field]: "" }, [""]);
  }),

  define("values: '' in a unique key is a value", "If '' is stored as null, the key is no longer unique.", ["unique"], async (s) => {
    const row = s.row({ [s.fields.unique]: "" });
    await s.put(row);
    await s.put(s.rival(row));
    equal("rows with one unique key, '' in it", await s.count(), 1);
  }),

  define("values: null can be set and replaced", "A block is removed by setting its instant to null.", ["nullableInstant"], async (s) => {
    const { nullableInstant } = s.fields;
    const row = s.row({ [nullableInstant]: 5 });
    await s.put(row);
    for (const value of [null, 0]) {
      await s.collection.update(s.key(row), { set: { [nullableInstant]: value } });
      equal("the row", await s.stored(row), { ...row, [nullableInstant]: value });
    }
  }),

  define(
    "values: stores integers up to 2^53 - 1 and negative ones",
    "Instants have 41 bits. A store with 32-bit integers or 32-bit floats cannot represent them.",
    ["integer", "instant"],
    async (s) => {
      for (const field of [s.fields.integer, s.fields.instant]) {
        await storesEach(s, field, integers);
        const check = await checkEveryMethod(s, field, s.rows(field, integers));
        for (const integer of integers) await check(`${field} ${integer}`, { [field]: integer }, [integer]);
      }
    },
  ),

  define("values: booleans are true and false", "1 is truthy, but not === true, and becomes 1 in JSON.", ["boolean"], async (s) => {
    await storesEach(s, s.fields.boolean, [true, false]);
  }),

  define(
    "values: __proto__ and constructor are ordinary names in objects",
    "Callers choose the metadata. Copying metadata member by member loses members with such names, or even changes the prototype of every object.",
    ["object"],
    async (s) => {
      const { object } = s.fields;
      await storesEach(s, object, [
        parsed('{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"text","hasOwnProperty":null}'),
        parsed('{"inside":{"__proto__":{"polluted":true}}}'),
      ]);
      equal("an empty object's 'polluted'", Reflect.get({}, "polluted"), undefined);
    },
  ),

  define(
    "values: stores objects completely",
    "Any JSON value is allowed. Only the order of an object's keys may change.",
    ["object"],
    async (s) => {
      const { object } = s.fields;
      await storesEach(s, object, [
        {},
        { empty: {}, list: [], nested: [[], [{}], [[1]]] },
        { zero: 0, negative: -1.5, great: Number.MAX_SAFE_INTEGER, small: 1e-7, third: 1 / 3, huge: 1e200 },
        { yes: true, no: false, none: null, list: [null, "", 0, false] },
        { b: 1, a: 2, "10": 3, "9": 4 },
        { "": "an empty name", " ": 1, "a.b": 2, $set: 3, 'quo"te': 4, "back\\slash": 5, "漢😀": "漢😀", "a[0]": 6 },
        { number: "1", boolean: "true", nothing: "null", date: "2024-01-01T00:00:00Z" },
        parsed(`${'{"a":'.repeat(60)}{}${"}".repeat(60)}`),
      ]);
    },
  ),

  define(
    "values: lists of strings preserve order, duplicates and ''",
    "Callback URLs are compared one by one, and the first is the default.",
    ["strings"],
    async (s) => {
      const lists = [[], [""], ["b", "a", "b"], ["one, two", "{three}", '"four"', "null", "漢😀", "five\nsix"]];
      await storesEach(s, s.fields.strings, lists);
    },
  ),

  define(
    "values: stores long text and large objects",
    "A column of 64 kB cannot hold a long certificate or profile, and some stores truncate the value silently.",
    ["longText", "object"],
    async (s) => {
      const { longText, object } = s.fields;
      await storesEach(s, longText, ["a text 漢".repeat(30_000)]);
      await storesEach(s, object, [{ list: Array.from({ length: 5000 }, (_, i) => `item ${i} 漢`) }]);
    },
  ),

  define(
    "values: rows are copies",
    "A caller that changes a row object must not change the stored row, or the row that another caller reads.",
    ["object", "text"],
    async (s) => {
      const { object, text } = s.fields;
      const inner = { value: 1 };
      const mine = { ...s.row({ [text]: "stored" }), [object]: { inner } };
      const expected = structuredClone(mine);
      await s.put(mine);
      inner.value = 2;
      Reflect.set(mine, text, "changed by the writer");
      equal("the row after its writer changed what it passed", await s.stored(expected), expected);
      const found = await s.stored(expected);
      if (found) Reflect.set(found, text, "changed by a reader");
      const member = found?.[object];
      if (typeof member === "object" && member !== null) Reflect.set(member, "inner", "changed by a reader");
      equal("the row after a reader changed its result", await s.stored(expected), expected);
    },
  ),
];
