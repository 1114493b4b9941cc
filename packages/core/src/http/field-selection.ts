import * as z from "zod";
import { Reply, type RouteDefinition } from "./route.ts";

/** The fields that a caller wants (`fields`), or all but these (`include_fields=false`). */
export interface Selection {
  readonly fields?: string;
  readonly include_fields?: boolean;
}

/**
 * Keeps of a handler's result what the caller is shown, and of that what it asks for.
 * @param shown the fields that the caller is shown; undefined: all.
 */
export function selectReply(result: unknown, selection: Selection, shown?: readonly string[]): unknown {
  if (shown === undefined && selection.fields === undefined) return result;
  const select = (body: unknown): unknown =>
    selectFields(shown === undefined ? body : selectFields(body, { fields: shown.join(",") }), selection);
  if (!(result instanceof Reply)) return select(result);
  return new Reply(select(result.body), { headers: result.headers, ...(result.status !== undefined && { status: result.status }) });
}

/** Keeps the selected fields of one resource, of each item of a list, or of each item inside an envelope. Names that do not exist select nothing. */
export function selectFields(body: unknown, { fields, include_fields: include = true }: Selection): unknown {
  if (fields === undefined || fields === "") return body;
  const names = new Set(fields.split(",").map((name) => name.trim()));
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

/** An envelope holds lists, and numbers or a cursor. */
function isEnvelope(members: readonly (readonly [name: string, isList: boolean])[]): boolean {
  const rest = members.filter(([, isList]) => !isList);
  return rest.length < members.length && rest.every(([name]) => ["start", "limit", "length", "total", "next"].includes(name));
}

/** A route's replies as they may come: where the caller chooses fields, or is not shown all of them, any field may be missing. */
export function shownReplies({ query, visibleFields, responses }: RouteDefinition): RouteDefinition["responses"] {
  const isSelectable = query instanceof z.ZodObject && "fields" in query.shape;
  if (!isSelectable && visibleFields === undefined) return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, declared]) => [status, declared instanceof z.ZodType ? partialOf(declared) : declared]),
  );
}

const partials = new WeakMap<z.ZodType, z.ZodType>();

/** A reply's schema with every field of its resource optional; the same one each time. */
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

/** Follows {@link selectFields}, which decides by values what this decides by their schemas. */
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
