import type { CollectionName, DataAdapter } from "@postern/core/adapter";
import { NotApplicable } from "./failure.ts";
import { findSetting, TestedCollection, type Role } from "./subject.ts";

/** The context of a case. */
export interface CaseContext {
  readonly adapter: DataAdapter;
  /** Returns an adapter that the case may close; undefined if the options have none. */
  readonly openToClose: (() => DataAdapter | Promise<DataAdapter>) | undefined;
  /** The collections under test. */
  readonly names: readonly CollectionName[];
}

/** A case, independent of an adapter. */
export interface CaseDefinition {
  /** The requirement, in unique words. */
  readonly name: string;
  /** The consequence for a service whose adapter does not meet the requirement. */
  readonly why: string;
  /** Whether one of these collections has the fields that the case needs. */
  fits(names: readonly CollectionName[]): boolean;
  run(room: CaseContext): Promise<void>;
}

/** Defines a case that runs on any collection that has a field for each of these roles. */
export function define<const R extends Role>(
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

/** Returns the adapter's `transaction`, or skips the case if the adapter has none. */
export function transactionOf(adapter: DataAdapter): NonNullable<DataAdapter["transaction"]> {
  if (adapter.transaction === undefined) throw new NotApplicable("the adapter has no transactions");
  return adapter.transaction.bind(adapter);
}

/** Skips the case if the collection does not support filters. */
export function needFilters({ collection, description }: TestedCollection): void {
  if (collection.filters !== true) throw new NotApplicable(`${description.name} does not set filters: true`);
}
