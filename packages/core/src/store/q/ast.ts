/** A parsed `q`. Every `at` is the 0-based character where the part begins in it, for messages. */
export type Query =
  | { readonly kind: "and" | "or"; readonly parts: readonly Query[]; readonly at: number }
  | { readonly kind: "not"; readonly part: Query; readonly at: number }
  | Term;

/** One condition. Without a field it is a bare word, looked for in the table's default fields. */
export interface Term {
  readonly kind: "term";
  readonly field?: FieldName;
  readonly operand: Operand;
  readonly at: number;
}

/** A field's name as it was written, split at its dots: `app_metadata.plan` has two segments. */
export interface FieldName {
  readonly segments: readonly string[];
  readonly at: number;
}

/** What a field is asked for. `match` says where a word had its `*`. */
export type Operand =
  | { readonly kind: "exists"; readonly at: number }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly quoted: boolean;
      readonly match: "whole" | "prefix" | "suffix" | "contains";
      readonly at: number;
    }
  | { readonly kind: "range"; readonly lower?: Bound; readonly upper?: Bound; readonly at: number };

/** One end of a range; an open end is absent. */
export interface Bound {
  readonly text: string;
  readonly quoted: boolean;
  readonly inclusive: boolean;
  readonly at: number;
}
