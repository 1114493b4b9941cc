import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { Bound } from "./dialect.ts";

/** Stands in a query for a value that is known only when it runs. */
export class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** A query compiled once, to be run with different values. */
export interface Statement {
  /** The same query with values put in. */
  with(values: readonly Bound[]): CompiledQuery<{ [column: string]: unknown }>;
  readonly sql: string;
}

/** Compiles a query whose values are {@link Slot}s; values that stand in it as they are stay as they are. */
export function compile(db: Kysely<unknown>, query: RawBuilder<unknown>): Statement {
  const { parameters, ...compiled } = query.compile(db) as CompiledQuery<{ [column: string]: unknown }>;
  const inOrder = parameters.every((parameter, i) => parameter instanceof Slot && parameter.index === i);
  return {
    sql: compiled.sql,
    with: (values) => ({
      ...compiled,
      parameters: inOrder ? values : parameters.map((parameter) => (parameter instanceof Slot ? values[parameter.index] : parameter)),
    }),
  };
}
