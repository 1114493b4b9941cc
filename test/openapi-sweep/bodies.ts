import { listOf, members, resolve, type Api, type Schema } from "./document.ts";

/** What stands at a place of a body. Undefined leaves it to the schema. */
export type Known = (name: string) => unknown;

/** A place in a body, from the outside in: member names, and 0 for the first item of a list. */
export type Place = readonly (string | number)[];

/** Where the value goes that a body is made around. */
const placeholder = "@@here@@";

/**
 * The smallest body that a schema takes.
 * @param known values by the name of their member, where a schema cannot say what is right: ids of records, names that are free.
 */
export function sampleOf(api: Api, schema: Schema, known: Known, name = ""): unknown {
  const found = resolve(api, schema);
  const words = listOf(found["enum"]);
  const given = known(name);
  if (given !== undefined && (words.length === 0 || words.includes(given))) return given;
  const [branch] = branchesOf(found);
  if (branch !== undefined) return sampleOf(api, branch, known, name);
  if ("const" in found) return found["const"];
  const [first] = words;
  if (first !== undefined) return first;
  const type = listOf(found["type"])[0] ?? found["type"];
  if (type === "array") return Number(found["minItems"] ?? 0) > 0 ? [sampleOf(api, members(found["items"]), known)] : [];
  if (type === "string") return found["format"] === "email" ? "sample@example.test" : "sample".padEnd(Number(found["minLength"] ?? 0), "x");
  if (type === "integer" || type === "number") return Math.max(1, Number(found["minimum"] ?? 1));
  if (type === "boolean") return true;
  if (type === "null") return null;
  const required = listOf(found["required"]).map(String);
  return Object.fromEntries(required.map((each) => [each, sampleOf(api, members(members(found["properties"])[each]), known, each)]));
}

/** Every place of a body that its schema tells of, the body itself included. */
export function placesOf(api: Api, schema: Schema, depth = 0): readonly { readonly place: Place; readonly schema: Schema }[] {
  const found = resolve(api, schema);
  const own = { place: [], schema: found };
  if (depth > 4) return [own];
  const below = [
    ...branchesOf(found).flatMap((branch) => placesOf(api, branch, depth + 1).filter(({ place }) => place.length > 0)),
    ...Object.entries(members(found["properties"])).flatMap(([name, property]) =>
      placesOf(api, members(property), depth + 1).map((one) => ({ ...one, place: [name, ...one.place] })),
    ),
    ...("items" in found ? placesOf(api, members(found["items"]), depth + 1).map((one) => ({ ...one, place: [0, ...one.place] })) : []),
  ];
  const seen = new Set<string>();
  return [own, ...below].filter(({ place }) => !seen.has(place.join("\0")) && seen.add(place.join("\0")));
}

/** A body as JSON with a value, itself JSON, at a place; around it stands what the schema needs. */
export function bodyWith(api: Api, schema: Schema, known: Known, place: Place, value: string): string {
  return JSON.stringify(put(api, schema, known, place, "")).replace(JSON.stringify(placeholder), () => value);
}

function put(api: Api, schema: Schema, known: Known, place: Place, name: string): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return placeholder;
  const found = chooseBranch(api, resolve(api, schema), step);
  if (typeof step === "number") return [put(api, members(found["items"]), known, rest, "")];
  const around = members(sampleOf(api, found, known, name));
  return { ...around, [step]: put(api, members(members(found["properties"])[step]), known, rest, step) };
}

/** The branch of a union that has this member. */
function chooseBranch(api: Api, found: Schema, step: string | number): Schema {
  const has = (schema: Schema): boolean => (typeof step === "number" ? "items" in schema : step in members(schema["properties"]));
  if (has(found)) return found;
  for (const branch of branchesOf(found)) {
    const inner = chooseBranch(api, resolve(api, branch), step);
    if (has(inner)) return inner;
  }
  return found;
}

function branchesOf(schema: Schema): readonly Schema[] {
  return [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].map(members);
}

/** The names of all members that a body of a schema must have, at any depth. */
export function neededNames(api: Api, schema: Schema): readonly string[] {
  const found = resolve(api, schema);
  const required = listOf(found["required"]).map(String);
  const below = [
    ...branchesOf(found),
    ...required.map((name) => members(members(found["properties"])[name])),
    ...("items" in found ? [members(found["items"])] : []),
  ];
  return [...new Set([...required, ...below.flatMap((each) => neededNames(api, each))])];
}

/** The alternatives of a schema; itself where it has none. */
export function variantsOf(api: Api, schema: Schema): readonly Schema[] {
  const found = resolve(api, schema);
  const branches = branchesOf(found);
  return branches.length === 0 ? [found] : branches.map((branch) => resolve(api, branch));
}
