import { textMember } from "./response.ts";
import { requiredNames, sampleOf, type KnownValues } from "./bodies.ts";
import type { Description, ApiOperation, Schema } from "./document.ts";
import { extraMembers, validParameters, validValues, factories, uniqueValues, singletons, type FactoryContext } from "./factories.ts";
import type { ConnectedTenant } from "./tenant-access.ts";

/** The resources in a tenant that paths and bodies name. Each resource is created on first use. */
export interface Records {
  /**
   * Returns the value for a path parameter. @param place the path up to the parameter, with `{}` for every parameter.
   */
  id(place: string): Promise<string>;
  /**
   * Returns a path with its parameters filled in.
   * @param others percent-encoded values that replace the ids of resources.
   */
  fill(path: string, others?: { readonly [name: string]: string }): Promise<string>;
  /** Returns the values of body members that the schema does not determine. */
  known(schema: Schema): Promise<KnownValues>;
  /** Returns the smallest valid request for an operation. */
  request(operation: ApiOperation): Promise<OperationRequest>;
  /** Forgets all resources. Each is created again on its next use. */
  renew(): void;
}

/** A request to an operation. */
export interface OperationRequest {
  readonly path: string;
  /** Query, with its question mark. */
  readonly query?: string;
  /** The body as JSON text. */
  readonly body?: string;
}

/** Creates the {@link Records} for a tenant. The second parameter is the OpenAPI document of the Management API. */
export function recordsOf(tenant: ConnectedTenant, { document, operations }: Description): Records {
  const made = new Map<string, Promise<string>>();
  const id = (place: string): Promise<string> => {
    const known = made.get(place) ?? create(place);
    made.set(place, known);
    return known;
  };
  const context: FactoryContext = { ...tenant, record: id };
  const create = async (place: string): Promise<string> => (await factories[place]?.(context)) ?? post(place);
  /** Posts the smallest body to the collection that contains the place. */
  const post = async (place: string): Promise<string> => {
    const above = place.replace(/\/\{\}$/, "");
    const creation = operations.find(({ method, path }) => method === "POST" && path.replaceAll(/\{\w+\}/g, "{}") === above);
    if (creation?.body === undefined) throw new Error(`no factory and no POST operation creates a resource at ${place}`);
    const { schema } = creation.body;
    const created = await tenant.manage.create(await fill(creation.path), sampleOf(document, schema, await known(schema)));
    const names = ["id", ...Object.keys(created).filter((each) => /(_id|Id)$/.test(each))];
    return textMember(created, names.find((each) => typeof created[each] === "string") ?? "id");
  };
  const known = async (schema: Schema): Promise<KnownValues> => {
    const fitting = new Map<string, unknown>();
    for (const name of requiredNames(document, schema)) fitting.set(name, await validValues[name]?.(context));
    return (name) => fitting.get(name) ?? uniqueValues[name]?.(tenant);
  };
  const fill: Records["fill"] = async (path, others = {}) => {
    const values: string[] = [];
    for (const { name, place } of parametersOf(path)) values.push(others[name] ?? encodeURIComponent(await id(place)));
    return path.replaceAll(/\{\w+\}/g, () => values.shift() ?? "");
  };
  const request = async (operation: ApiOperation): Promise<OperationRequest> => {
    const { path, parameters, body } = operation;
    await singletons[operation.title]?.(context);
    const query = new URLSearchParams();
    for (const { name, in: place, required } of parameters)
      if (place === "query" && required) query.set(name, (await validParameters[name]?.(context)) ?? "sample");
    const request = { path: await fill(path), query: query.size === 0 ? "" : `?${query}` };
    if (body === undefined) return request;
    const smallest = sampleOf(document, body.schema, await known(body.schema));
    const more = await extraMembers[operation.title]?.(context);
    return { ...request, body: JSON.stringify(more === undefined ? smallest : Object.assign({}, smallest, more)) };
  };
  return { id, fill, known, request, renew: () => made.clear() };
}

/**
 * Lists a path's parameters from left to right, each with its place: the path up to the parameter, with `{}` for every
 * parameter.
 */
export function parametersOf(path: string): readonly { readonly name: string; readonly place: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 0: whole, 1: name = "", index }) => ({
    name,
    place: path.slice(0, index + whole.length).replaceAll(/\{\w+\}/g, "{}"),
  }));
}
