import {
  storedFields,
  storedKey,
  storedUnique,
  type AnyRow,
  type CollectionDescription,
  type Field,
  type Value,
} from "@postern/core/adapter";

/** An instant within the range of every store, far from now so that no sweep of a running service takes it: 2100-01-01. */
export const someInstant = 4_102_444_800_000;

/** Random lower-case letters and digits. Not for secrets: most of a run would be spent on better ones. */
export function token(length = 16): string {
  let text = "";
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

/** The names of the fields that stand in the key or in a unique key. */
export function keyFields(description: CollectionDescription): ReadonlySet<string> {
  return new Set([...storedKey(description), ...storedUnique(description).flat()]);
}

/** Something new in each field of the key and of the unique keys: makes many rows of one. */
export function freshKeys(description: CollectionDescription): AnyRow {
  const keys = keyFields(description);
  const own = Object.entries(description.fields).filter(([name]) => keys.has(name));
  return Object.fromEntries(own.map(([name, field]) => [name, field.type === "string" ? token() : Math.floor(Math.random() * 1e12)]));
}

/** A row with as little in it as the description allows: null, '', 0, false, [] and {}, but something random in each key. */
export function emptyRow(description: CollectionDescription): AnyRow {
  const keys = keyFields(description);
  return rowOf(description, (field, name) =>
    keys.has(name) && field.type === "string" ? token(Math.min(field.length, 20)) : empty(field),
  );
}

/** A row that has something in each nullable text, so that null is in a row only where a case put it. */
export function plainRow(description: CollectionDescription): AnyRow {
  const texts = Object.entries(description.fields).filter(
    ([, field]) => field.nullable && (field.type === "string" || field.type === "text"),
  );
  const filled = texts.map(([name, field]) => [name, token(field.type === "string" ? Math.min(field.length, 20) : 20)]);
  return { ...emptyRow(description), ...Object.fromEntries(filled) };
}

/** A row with as much in it as the description allows: each text at its greatest length, in letters of three bytes where ASCII is not promised. */
export function fullRow(description: CollectionDescription): AnyRow {
  return rowOf(description, full);
}

function rowOf(description: CollectionDescription, value: (field: Field, name: string) => Value): AnyRow {
  return Object.fromEntries(Object.entries(storedFields(description)).map(([name, field]) => [name, value(field, name)]));
}

function empty(field: Field): Value {
  if (field.nullable) return null;
  switch (field.type) {
    case "string":
    case "text":
      return "";
    case "integer":
      return 0;
    case "instant":
      return someInstant;
    case "boolean":
      return false;
    case "strings":
      return [];
    case "object":
      return {};
  }
}

function full(field: Field): Value {
  switch (field.type) {
    case "string":
      return field.ascii ? token(field.length) : ideographs(field.length);
    case "text":
      return ideographs(5000);
    case "integer":
      return 2 ** 45;
    case "instant":
      return someInstant + 123;
    case "boolean":
      return true;
    case "strings":
      return ["", "one", "two, three", "漢字"];
    case "object":
      return { text: "漢字", number: 1.5, yes: true, none: null, list: [1, "2", { three: 3 }], empty: {} };
  }
}

/** Random, because a store that compresses index entries would let a repeated letter pass. */
function ideographs(length: number): string {
  const codes = crypto.getRandomValues(new Uint16Array(length));
  return Array.from(codes, (code) => String.fromCharCode(0x4e00 + (code % 0x5000))).join("");
}
