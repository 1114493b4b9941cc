import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { BoundValue } from "./dialect.ts";

/** A placeholder for a value that is not known until the query runs. */
export class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** A compiled query that can run with different values. */
export interface Statement {
  /** Returns the query with these values in place of its slots. */
  with(values: readonly BoundValue[]): CompiledQuery<{ [column: string]: unknown }>;
  readonly sql: string;
}

/** Compiles a query in which {@link Slot}s stand for values. All other values in the query stay constant. */
export function compileStatement(db: Kysely<unknown>, query: RawBuilder<unknown>): Statement {
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
