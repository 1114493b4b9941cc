import { isLonger } from "./check-values.ts";
import type { AnyRow, Condition, Match } from "./contract.ts";
import type { Field } from "./description.ts";

/**
 * A condition without the values that no row can have: text that is longer than its field, or that no field holds (NUL, half a surrogate pair).
 * Callers choose the ids and names that are looked for, and stores differ in what they make of such a text: an error, or a match with what is left
 * when it is cut. So it is answered before a store is asked, and code above need not look at the length of what it looks for.
 *
 * Comparisons (`lt` and the like) are left to the store: a long text has a place in the order.
 * @returns undefined where no row can match; the same object where there is nothing to leave out.
 */
export function pruneImpossibleConditions(fields: ReadonlyMap<string, Field>, where: Match<AnyRow>): Match<AnyRow> | undefined {
  let possible = where;
  for (const name of Object.keys(where)) {
    const field = fields.get(name);
    // Text alone is compared with text: `conditionFault` has refused the rest.
    const condition = where[name] as Condition<string | null> | undefined;
    if (field?.type !== "string" || condition === null || condition === undefined) continue;
    const left =
      typeof condition === "string" ? (isHeld(condition, field.length) ? condition : undefined) : heldOf(condition, field.length);
    if (left === undefined) return undefined;
    if (left !== condition) possible = { ...possible, [name]: left };
  }
  return possible;
}

/** What is left of a condition with operators; undefined where no text of a field of this length satisfies it. */
function heldOf(condition: Exclude<Condition<string>, string>, length: number): Condition<string> | undefined {
  if ("exists" in condition) return condition;
  const { in: list, prefix = "", contains = "" } = condition;
  if (!isHeld(prefix, length) || !isHeld(contains, length)) return undefined;
  if (list === undefined) return condition;
  const held = list.filter((value) => isHeld(value, length));
  if (held.length === list.length) return condition;
  return held.length === 0 ? undefined : { ...condition, in: held };
}

const isHeld = (text: string, length: number): boolean => !isLonger(text, length) && text.isWellFormed() && !text.includes("\0");
