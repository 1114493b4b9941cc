import {
  storedFields,
  storedKey,
  storedUnique,
  type AnyRow,
  type CollectionDescription,
  type Field,
  type Value,
} from "@postern/core/adapter";

/**
 * An instant that every store supports: 2100-01-01. It is so far in the future that the `sweep` of a running service
 * does not delete the rows.
 */
const someInstant = 4_102_444_800_000;

/**
 * Returns random lower-case letters and digits. Do not use it for secrets: it is not cryptographically random, because
 * cryptographic randomness would take most of the time of a test run.
 */
export function randomToken(length = 16): string {
  let text = "";
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
}

/** Returns the names of all fields in the key and in the unique keys. */
export function keyFields(description: CollectionDescription): ReadonlySet<string> {
  return new Set([...storedKey(description), ...storedUnique(description).flat()]);
}

/** Returns new values for every field in the key and in the unique keys, to create many rows from one row. */
export function freshKeys(description: CollectionDescription): AnyRow {
  const keys = keyFields(description);
  const own = Object.entries(description.fields).filter(([name]) => keys.has(name));
  return Object.fromEntries(own.map(([name, field]) => [name, field.type === "string" ? randomToken() : Math.floor(Math.random() * 1e12)]));
}

/** Returns a row with minimal values: null, '', 0, false, [] and {}. The fields of keys have random values. */
export function emptyRow(description: CollectionDescription): AnyRow {
  const keys = keyFields(description);
  return rowOf(description, (field, name) =>
    keys.has(name) && field.type === "string" ? randomToken(Math.min(field.length, 20)) : empty(field),
  );
}

/** Returns a row in which every nullable text has a value, so that a row contains null only if a case sets it. */
export function plainRow(description: CollectionDescription): AnyRow {
  const texts = Object.entries(description.fields).filter(
    ([, field]) => field.nullable && (field.type === "string" || field.type === "text"),
  );
  const filled = texts.map(([name, field]) => [name, randomToken(field.type === "string" ? Math.min(field.length, 20) : 20)]);
  return { ...emptyRow(description), ...Object.fromEntries(filled) };
}

/**
 * Returns a row with maximal values. Each text has its maximum length, in characters of three bytes unless the field is
 * ASCII.
 */
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
      return field.ascii ? randomToken(field.length) : ideographs(field.length);
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

/**
 * Returns random characters. A repeated character would not test the maximum length in a store that compresses index
 * entries.
 */
function ideographs(length: number): string {
  const codes = crypto.getRandomValues(new Uint16Array(length));
  return Array.from(codes, (code) => String.fromCharCode(0x4e00 + (code % 0x5000))).join("");
}
