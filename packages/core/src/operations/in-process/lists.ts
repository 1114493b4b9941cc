/** Selects a page with the total number of items. */
export interface WithTotals {
  readonly include_totals?: true | undefined;
}

/**
 * Selects checkpoint pagination: up to `take` items after the position `from`, which is the `next` value of the
 * previous page.
 */
export interface WithCheckpoints {
  readonly take?: number | undefined;
  readonly from?: string | undefined;
}

/** A page of a list, with the total number of items. */
export interface ListTotals {
  readonly start: number;
  readonly limit: number;
  readonly length: number;
  readonly total: number;
}

/** The position of the next page of a list. Absent on the last page. */
export interface ListCheckpoint {
  readonly next?: string | undefined;
}

/**
 * The result of a list method: with `include_totals: true` a page with totals, with `take` a page with a checkpoint,
 * otherwise an array. If the type of the query does not determine the shape, the result can be any of them.
 */
export type ListReply<Query, Key extends string, Item> = Query extends { readonly include_totals: true }
  ? { readonly [Name in Key]: readonly Item[] } & ListTotals
  : Query extends { readonly take: number }
    ? { readonly [Name in Key]: readonly Item[] } & ListCheckpoint
    : Extract<keyof Query, "include_totals" | "take"> extends never
      ? readonly Item[]
      : readonly Item[] | ({ readonly [Name in Key]: readonly Item[] } & (ListTotals | ListCheckpoint));

/**
 * The result of a list method that returns a page with a checkpoint unless the query contains `page`, `per_page` or
 * `include_totals`.
 */
export type CheckpointListReply<Query, Key extends string, Item> = Query extends { readonly include_totals: true }
  ? { readonly [Name in Key]: readonly Item[] } & ListTotals
  : Extract<keyof Query, "page" | "per_page" | "include_totals"> extends never
    ? { readonly [Name in Key]: readonly Item[] } & ListCheckpoint
    : readonly Item[] | ({ readonly [Name in Key]: readonly Item[] } & (ListTotals | ListCheckpoint));

/** A query without unknown members, such as misspelled ones. */
export type Only<Query, Known> = Query & { readonly [Name in Exclude<keyof Query, keyof Known>]: never };
