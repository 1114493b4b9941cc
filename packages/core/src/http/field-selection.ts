import * as z from "zod";
import { Reply, type RouteDefinition } from "./route.ts";

/** The fields to include in a response (`fields`), or to exclude from it (if `include_fields=false`). */
export interface FieldSelection {
  readonly fields?: string;
  readonly include_fields?: boolean;
}

/**
 * Reduces a handler's result to the fields that the caller may read, and then to the fields that the caller requested.
 * @param shown the fields that the caller may read; undefined: all fields.
 */
export function selectReply(result: unknown, selection: FieldSelection, shown?: readonly string[]): unknown {
  if (shown === undefined && selection.fields === undefined) return result;
  const select = (body: unknown): unknown =>
    selectFields(shown === undefined ? body : selectFields(body, { fields: shown.join(",") }), selection);
  if (!(result instanceof Reply)) return select(result);
  return new Reply(select(result.body), { headers: result.headers, ...(result.status !== undefined && { status: result.status }) });
}

/**
 * Selects the fields in one resource, in each item of a list, or in each item inside an envelope. Unknown field names
 * select nothing.
 */
export function selectFields(body: unknown, { fields, include_fields: include = true }: FieldSelection): unknown {
  if (fields === undefined || fields === "") return body;
  const names = namesIn(fields);
  const select = (item: unknown): unknown =>
    typeof item === "object" && item !== null
      ? Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name) === include))
      : item;

  if (Array.isArray(body)) return body.map(select);
  if (typeof body !== "object" || body === null) return body;
  const members = Object.entries(body);
  if (!isEnvelope(members.map(([name, value]) => [name, Array.isArray(value)]))) return select(body);
  return Object.fromEntries(members.map(([name, value]) => [name, Array.isArray(value) ? value.map(select) : value]));
}

/** Whether a response with this selection contains the field. */
export function selectsField({ fields, include_fields: include = true }: FieldSelection, name: string): boolean {
  return fields === undefined || fields === "" || namesIn(fields).has(name) === include;
}

function namesIn(fields: string): ReadonlySet<string> {
  return new Set(fields.split(",").map((name) => name.trim()));
}

/** Whether a body is an envelope: it contains lists, and besides them only numbers or a cursor. */
function isEnvelope(members: readonly (readonly [name: string, isList: boolean])[]): boolean {
  const rest = members.filter(([, isList]) => !isList);
  return rest.length < members.length && rest.every(([name]) => ["start", "limit", "length", "total", "next"].includes(name));
}

/**
 * Returns the response schemas of a route for its OpenAPI document. If a caller can select fields, or may not read all
 * fields, every field is optional.
 */
export function responsesWithOptionalFields({ query, visibleFields, responses }: RouteDefinition): RouteDefinition["responses"] {
  const isSelectable = query instanceof z.ZodObject && "fields" in query.shape;
  if (!isSelectable && visibleFields === undefined) return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, declared]) => [status, declared instanceof z.ZodType ? partialOf(declared) : declared]),
  );
}

const partials = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Returns a response schema in which every field of the resource is optional. Repeated calls return the same schema.
 */
function partialOf(schema: z.ZodType): z.ZodType {
  let partial = partials.get(schema);
  if (partial === undefined) {
    partial = makePartial(schema);
    const { id } = schema.meta() ?? {};
    if (id !== undefined && partial !== schema) partial = partial.meta({ ...schema.meta(), id: `Partial${id}` });
    partials.set(schema, partial);
  }
  return partial;
}

/** Makes the fields optional that {@link selectFields} can remove from a value of this schema. */
function makePartial(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) return z.array(partialOf(schema.element));
  if (schema instanceof z.ZodUnion) {
    return z.union(schema.options.map((option) => (option instanceof z.ZodType ? partialOf(option) : option)));
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries<z.core.$ZodType>(schema.shape);
  if (!isEnvelope(members.map(([name, member]) => [name, member instanceof z.ZodArray]))) return schema.exactPartial();
  const lists = members.filter((member): member is [string, z.ZodArray] => member[1] instanceof z.ZodArray);
  return schema.extend(Object.fromEntries(lists.map(([name, items]) => [name, partialOf(items)])));
}
