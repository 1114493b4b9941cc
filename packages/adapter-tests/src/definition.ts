import type { CollectionName, DataAdapter } from "@postern/core/adapter";
import { NotApplicable } from "./failure.ts";
import { findSetting, Subject, type Role } from "./subject.ts";

/** What a case is given. */
export interface Room {
  readonly adapter: DataAdapter;
  /** An adapter that the case may close; undefined where the host gave none. */
  readonly openToClose: (() => DataAdapter | Promise<DataAdapter>) | undefined;
  /** The collections under test. */
  readonly names: readonly CollectionName[];
}

/** A case before it is bound to an adapter. */
export interface Definition {
  /** Says what the adapter promises. Unique. */
  readonly name: string;
  /** What goes wrong in a service whose adapter breaks the promise. */
  readonly why: string;
  /** Whether one of these collections has the fields that the case needs. */
  fits(names: readonly CollectionName[]): boolean;
  run(room: Room): Promise<void>;
}

/** Defines a case over whatever collection has a field for each of these roles. */
export function define<const R extends Role>(
  name: string,
  why: string,
  roles: readonly R[],
  run: (subject: Subject<R>, room: Room) => Promise<void>,
): Definition {
  return {
    name,
    why,
    fits: (names) => findSetting(roles, names) !== undefined,
    run: async (room) => {
      const setting = findSetting(roles, room.names);
      if (setting === undefined) throw new NotApplicable("no collection under test has the fields for it");
      await run(new Subject(setting, room.adapter.collections), room);
    },
  };
}

/** The adapter's own `transaction`, or the end of the case where it has none. */
export function transactionOf(adapter: DataAdapter): NonNullable<DataAdapter["transaction"]> {
  if (adapter.transaction === undefined) throw new NotApplicable("the adapter has no transactions");
  return adapter.transaction.bind(adapter);
}

/** Ends the case where the collection says that it does not understand filters. */
export function needFilters({ collection, description }: Subject): void {
  if (collection.filters !== true) throw new NotApplicable(`${description.name} does not say filters: true`);
}
