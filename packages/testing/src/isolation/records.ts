import { textOf } from "./answer.ts";
import { neededNames, sampleOf, type Known } from "./bodies.ts";
import type { Description, Operation, Schema } from "./document.ts";
import { besides, fittingParameters, fittingValues, makers, newValues, single, type Maker } from "./makers.ts";
import type { Party } from "./tenant-access.ts";

/** The records of a tenant that paths and bodies name. Each is made when it is first asked for. */
export interface Records {
  /** What stands for a path parameter. @param place the path up to it, with `{}` for every parameter. */
  id(place: string): Promise<string>;
  /** A path with its parameters filled in. @param others values of parameters, percent-encoded, that stand in for the records. */
  fill(path: string, others?: { readonly [name: string]: string }): Promise<string>;
  /** What bodies of a schema say at members where the schema leaves it open. */
  known(schema: Schema): Promise<Known>;
  /** The smallest request that an operation takes. */
  request(operation: Operation): Promise<Asked>;
  /** Forgets all of them: what is asked for from then on is made anew. */
  renew(): void;
}

/** What is asked of an operation. */
export interface Asked {
  readonly path: string;
  /** Query, with its question mark. */
  readonly query?: string;
  /** The body as it goes over the wire. */
  readonly body?: string;
}

/** The {@link Records} of a tenant. @param management the document of the Management API. */
export function recordsOf(party: Party, { document, operations }: Description): Records {
  const made = new Map<string, Promise<string>>();
  const id = (place: string): Promise<string> => {
    const known = made.get(place) ?? make(place);
    made.set(place, known);
    return known;
  };
  const maker: Maker = { ...party, record: id };
  const make = async (place: string): Promise<string> => (await makers[place]?.(maker)) ?? post(place);
  /** Posts the smallest body to the collection that a place is in. */
  const post = async (place: string): Promise<string> => {
    const above = place.replace(/\/\{\}$/, "");
    const creation = operations.find(({ method, path }) => method === "POST" && path.replaceAll(/\{\w+\}/g, "{}") === above);
    if (creation?.body === undefined) throw new Error(`there is no way to make what stands at ${place}`);
    const { schema } = creation.body;
    const created = await party.manage.create(await fill(creation.path), sampleOf(document, schema, await known(schema)));
    const names = ["id", ...Object.keys(created).filter((each) => /(_id|Id)$/.test(each))];
    return textOf(created, names.find((each) => typeof created[each] === "string") ?? "id");
  };
  const known = async (schema: Schema): Promise<Known> => {
    const fitting = new Map<string, unknown>();
    for (const name of neededNames(document, schema)) fitting.set(name, await fittingValues[name]?.(maker));
    return (name) => fitting.get(name) ?? newValues[name]?.(party);
  };
  const fill: Records["fill"] = async (path, others = {}) => {
    const values: string[] = [];
    for (const { name, place } of parametersOf(path)) values.push(others[name] ?? encodeURIComponent(await id(place)));
    return path.replaceAll(/\{\w+\}/g, () => values.shift() ?? "");
  };
  const request = async (operation: Operation): Promise<Asked> => {
    const { path, parameters, body } = operation;
    await single[operation.title]?.(maker);
    const query = new URLSearchParams();
    for (const { name, in: place, required } of parameters)
      if (place === "query" && required) query.set(name, (await fittingParameters[name]?.(maker)) ?? "sample");
    const asked = { path: await fill(path), query: query.size === 0 ? "" : `?${query}` };
    if (body === undefined) return asked;
    const smallest = sampleOf(document, body.schema, await known(body.schema));
    const more = await besides[operation.title]?.(maker);
    return { ...asked, body: JSON.stringify(more === undefined ? smallest : Object.assign({}, smallest, more)) };
  };
  return { id, fill, known, request, renew: () => made.clear() };
}

/** A path's parameters from left to right, each with its place: the path up to it, with `{}` for every parameter. */
export function parametersOf(path: string): readonly { readonly name: string; readonly place: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: whole, 1: name = "", index }) => ({
    name,
    place: path.slice(0, index + whole.length).replaceAll(/\{\w+\}/g, "{}"),
  }));
}
