import { isLonger } from "./check-values.ts";
import type { AnyRow, Condition, Match } from "./contract.ts";
import type { Field } from "./description.ts";

/**
 * Removes values that no row can have from a condition: text that is longer than its field, and text that no field
 * stores (NUL, lone surrogates). Callers of the API choose the ids and names to look up, and stores treat such text
 * differently: some throw an error, others truncate the text and match other rows. Because these values are removed
 * before a store is called, the callers of a collection need not check the length of ids and names.
 *
 * Comparisons (`lt`, `lte`, `gt`, `gte`) are passed to the store unchanged, because a text that is too long still has a
 * position in the order.
 * @returns undefined if no row can match; the same object if there is nothing to remove.
 */
export function pruneImpossibleConditions(fields: ReadonlyMap<string, Field>, where: Match<AnyRow>): Match<AnyRow> | undefined {
  let possible = where;
  for (const name of Object.keys(where)) {
    const field = fields.get(name);
    // `conditionFault` has already rejected conditions that compare text with values of other types.
    const condition = where[name] as Condition<string | null> | undefined;
    if (field?.type !== "string" || condition === null || condition === undefined) continue;
    const left =
      typeof condition === "string" ? (isStorable(condition, field.length) ? condition : undefined) : storablePart(condition, field.length);
    if (left === undefined) return undefined;
    if (left !== condition) possible = { ...possible, [name]: left };
  }
  return possible;
}

/** Returns the rest of a condition with operators, or undefined if no text in a field of this length matches it. */
function storablePart(condition: Exclude<Condition<string>, string>, length: number): Condition<string> | undefined {
  if ("exists" in condition) return condition;
  const { in: list, prefix = "", contains = "" } = condition;
  if (!isStorable(prefix, length) || !isStorable(contains, length)) return undefined;
  if (list === undefined) return condition;
  const held = list.filter((value) => isStorable(value, length));
  if (held.length === list.length) return condition;
  return held.length === 0 ? undefined : { ...condition, in: held };
}

const isStorable = (text: string, length: number): boolean => !isLonger(text, length) && text.isWellFormed() && !text.includes("\0");
