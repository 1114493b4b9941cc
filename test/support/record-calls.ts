import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { Change, Collection, Collections, DataAdapter, Filter, Find, Match } from "@postern/core/adapter";
import type { AnyRow } from "@postern/core/adapter";

/** A call of a data adapter that reads, changes or deletes rows. */
export interface RecordedCall {
  readonly collection: string;
  readonly method: "find" | "count" | "update" | "delete";
  readonly where: Match<AnyRow>;
  readonly filter?: Filter;
  readonly change?: Change<AnyRow>;
  readonly find?: Omit<Find<AnyRow>, "where" | "filter">;
}

/** The environment variable with the folder for recorded calls. Calls are not recorded without it. */
export const recordFolderVariable = "POSTERN_TEST_RECORD_CALLS";

const written = new Set<string>();

function record(call: RecordedCall): void {
  const folder = process.env[recordFolderVariable];
  const shape = shapeOf(call);
  if (folder === undefined || written.has(shape)) return;
  written.add(shape);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(call)}\n`);
}

/**
 * Returns the shape of a call: everything that can change its SQL, and which conditions compare with null, '' and
 * false. Most rows have these values, so they bound nothing.
 */
export function shapeOf({ collection, method, where, filter, change, find }: RecordedCall): string {
  return JSON.stringify([
    collection,
    method,
    Object.entries(where).map(([field, condition]) => [field, kindOfCondition(condition)]),
    filter === undefined ? null : shapeOfFilter(filter),
    Object.keys(change?.set ?? {}),
    Object.keys(change?.add ?? {}),
    find?.fields ?? null,
    find?.orderBy ?? null,
    find?.after !== undefined,
    (find?.offset ?? 0) > 0,
  ]);
}

/** The lengths that `packages/kysely/src/shape.ts` uses for lists. */
const listLengths = [1, 2, 4, 8, 16, 32, 50];

function kindOfCondition(condition: Match<AnyRow>[string] | undefined): unknown {
  if (condition === null || condition === "" || condition === false) return condition;
  if (typeof condition !== "object") return "value";
  if ("exists" in condition) return condition;
  return Object.entries(condition).map(([operator, value]): unknown =>
    Array.isArray(value) ? [operator, listLengths.find((length) => length >= value.length)] : operator,
  );
}

function shapeOfFilter(filter: Filter): unknown {
  if ("and" in filter) return { and: filter.and.map(shapeOfFilter) };
  if ("or" in filter) return { or: filter.or.map(shapeOfFilter) };
  if ("not" in filter) return { not: shapeOfFilter(filter.not) };
  return [filter.field, filter.path?.length ?? 0, filter.op, typeof filter.value];
}

/** Wraps an adapter so that one call of each shape is written to the folder of {@link recordFolderVariable}. */
export function recordAdapterCalls(data: DataAdapter): DataAdapter {
  if (process.env[recordFolderVariable] === undefined) return data;
  const { transaction } = data;
  return {
    ...data,
    collections: recordAll(data.collections),
    ...(transaction && { transaction: (run) => transaction((inside) => run(recordAll(inside))) }),
  };
}

function recordAll(collections: Collections): Collections {
  const all: [string, Collection][] = Object.entries(collections as unknown as { readonly [name: string]: Collection });
  // Each collection keeps its name, and therefore the type of its rows.
  return Object.fromEntries(all.map(([name, each]) => [name, recorded(name, each)])) as unknown as Collections;
}

function recorded(collection: string, inner: Collection): Collection {
  return {
    ...(inner.filters !== undefined && { filters: inner.filters }),
    insert: (rows, options) => inner.insert(rows, options),
    find: (query, options) => {
      const { where, filter, ...find } = query;
      record({ collection, method: "find", where, ...(filter && { filter }), find });
      return inner.find(query, options);
    },
    count: (where, filter, options) => {
      record({ collection, method: "count", where, ...(filter && { filter }) });
      return inner.count(where, filter, options);
    },
    update: (where, change, options) => {
      record({ collection, method: "update", where, change });
      return inner.update(where, change, options);
    },
    delete: (where, options) => {
      record({ collection, method: "delete", where });
      return inner.delete(where, options);
    },
  };
}
