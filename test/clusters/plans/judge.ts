import { storedKey, type AnyRow, type Collection, type CollectionDescription, type Filter, type Match } from "@postern/core/adapter";
import type { RecordedCall } from "../../support/record-calls.ts";
import type { SqlStatement } from "./compile.ts";
import type { Plan } from "./plan.ts";

/** A plan that reads fewer rows than this passes, even if the statement returns none of them. */
const few = 1000;

/**
 * - `flat`: the plan reads few rows, or as many as the statement returns.
 * - `set`: the statement counts or changes many rows, and the plan reads these rows only.
 * - `reads more`: the plan reads many rows that the statement does not need.
 * - `sorts`: the plan sorts many rows to return a few.
 */
export type Verdict = "flat" | "set" | "reads more" | "sorts";

/** Compares the rows that a plan reads with the rows that match. Counts at most {@link few} rows in the table. */
export class Judge {
  readonly #collection: (name: string) => Collection;
  readonly #counts = new Map<string, Promise<number>>();

  constructor(collection: (name: string) => Collection) {
    this.#collection = collection;
  }

  /** @returns undefined if the statement is not sent for the values of this call. */
  async verdict(plan: Plan, call: RecordedCall, statement: SqlStatement, description: CollectionDescription): Promise<Verdict | undefined> {
    const { sql, ifMatches } = statement;
    const conditions = sql.slice(sql.indexOf(" where "));
    const mentions = (field: string): boolean => new RegExp(`["\`]${field}["\`]`).test(conditions);
    const matches = await this.#count(description, restricted(call, mentions));
    if (ifMatches === (matches < few ? "many" : "few")) return undefined;
    const isLimited = / limit /.test(sql);
    for (const { index, bounds } of plan.accesses) {
      const reads =
        index === undefined
          ? few
          : await this.#count(
              description,
              restricted(call, (field) => bounds.includes(field)),
            );
      if (reads < few) continue;
      if (matches < few) return "reads more";
      if (!isLimited) return "set";
      if (plan.sorts) return "sorts";
    }
    return "flat";
  }

  #count(description: CollectionDescription, { where, filter }: Pick<RecordedCall, "where" | "filter">): Promise<number> {
    if (Object.keys(where).length === 0 && filter === undefined) return Promise.resolve(few);
    const id = JSON.stringify([description.name, where, filter]);
    let count = this.#counts.get(id);
    if (count === undefined) {
      const all: Match<AnyRow> = Object.keys(where).length === 0 ? { [storedKey(description)[0] ?? ""]: { exists: true } } : where;
      const find = { where: all, fields: storedKey(description), limit: few, ...(filter && { filter }) };
      count = this.#collection(description.name)
        .find(find)
        .then((rows) => rows.length);
      this.#counts.set(id, count);
    }
    return count;
  }
}

/** Returns the conditions of a call on certain fields. */
function restricted({ where, filter }: RecordedCall, includes: (field: string) => boolean): Pick<RecordedCall, "where" | "filter"> {
  const parts = filter === undefined ? [] : "and" in filter ? filter.and : [filter];
  const chosen = parts.filter((part) => fieldsOf(part).every(includes));
  return {
    where: Object.fromEntries(Object.entries(where).filter(([field]) => includes(field))),
    ...(chosen.length > 0 && { filter: { and: chosen } }),
  };
}

function fieldsOf(filter: Filter): readonly string[] {
  if ("and" in filter) return filter.and.flatMap(fieldsOf);
  if ("or" in filter) return filter.or.flatMap(fieldsOf);
  return "not" in filter ? fieldsOf(filter.not) : [filter.field];
}
