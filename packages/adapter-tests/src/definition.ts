import type { CollectionName, DataAdapter } from "@postern/core/adapter";
import { NotApplicable } from "./failure.ts";
import { findSetting, TestedCollection, type FieldRole } from "./subject.ts";

/** The values that a case receives in addition to its collection. */
export interface CaseContext {
  readonly adapter: DataAdapter;
  /** Returns an adapter that the case may close. Undefined if the options contain no such function. */
  readonly openToClose: (() => DataAdapter | Promise<DataAdapter>) | undefined;
  /** The collections under test. */
  readonly names: readonly CollectionName[];
}

/** The definition of a case, which is not bound to an adapter. */
export interface CaseDefinition {
  /** States the requirement. Each case has a different name. */
  readonly name: string;
  /** What can go wrong in a service whose adapter does not meet the requirement. */
  readonly why: string;
  /** Whether at least one of these collections has the fields that the case needs. */
  fits(names: readonly CollectionName[]): boolean;
  run(room: CaseContext): Promise<void>;
}

/** Defines a case that can run on any collection with a field for each of these roles. */
export function define<const R extends FieldRole>(
  name: string,
  why: string,
  roles: readonly R[],
  run: (subject: TestedCollection<R>, room: CaseContext) => Promise<void>,
): CaseDefinition {
  return {
    name,
    why,
    fits: (names) => findSetting(roles, names) !== undefined,
    run: async (room) => {
      const setting = findSetting(roles, room.names);
      if (setting === undefined) throw new NotApplicable("no collection under test has the required fields");
      await run(new TestedCollection(setting, room.adapter.collections), room);
    },
  };
}

/** Returns the adapter's `transaction`. Skips the case if the adapter has none. */
export function transactionOf(adapter: DataAdapter): NonNullable<DataAdapter["transaction"]> {
  if (adapter.transaction === undefined) throw new NotApplicable("the adapter has no transactions");
  return adapter.transaction.bind(adapter);
}

/** Skips the case if the collection does not support filters. */
export function needFilters({ collection, description }: TestedCollection): void {
  if (collection.filters !== true) throw new NotApplicable(`${description.name} does not set filters: true`);
}
