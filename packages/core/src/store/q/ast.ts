/** A parsed `q` parameter. Each `at` is the 0-based index of the first character, for error messages. */
export type Query =
  | { readonly kind: "and" | "or"; readonly parts: readonly Query[]; readonly at: number }
  | { readonly kind: "not"; readonly part: Query; readonly at: number }
  | Term;

/**
 * One condition. A condition without a field is a bare word or phrase, which is searched in the default fields of the
 * table.
 */
export interface Term {
  readonly kind: "term";
  readonly field?: SearchFieldName;
  readonly operand: Operand;
  readonly at: number;
}

/** The name of a field, split at its dots: `app_metadata.plan` has two segments. */
export interface SearchFieldName {
  readonly segments: readonly string[];
  readonly at: number;
}

/** The operand of a condition. `match` says at which ends the word had a `*`. */
export type Operand =
  | { readonly kind: "exists"; readonly at: number }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly quoted: boolean;
      readonly match: "whole" | "prefix" | "suffix" | "contains";
      readonly at: number;
    }
  | { readonly kind: "range"; readonly lower?: RangeBound; readonly upper?: RangeBound; readonly at: number };

/** One end of a range. An open end is undefined. */
export interface RangeBound {
  readonly text: string;
  readonly quoted: boolean;
  readonly inclusive: boolean;
  readonly at: number;
}
