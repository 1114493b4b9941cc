import { failureTexts } from "../console-texts.ts";
import type { ShownEvent } from "../resources.ts";

/** The codes of events with which a sign-in succeeded. Earlier failures no longer matter. */
const successTypes: ReadonlySet<string> = new Set(["s", "ssa", "sepft", "serft"]);

/** The maximum number of failures that the record explains. */
const maximumReasons = 5;

/** Why a sign-in of a user failed, and what an operator can do about it. */
export interface SignInFailure {
  /** The latest event with this reason. */
  readonly event: ShownEvent;
  readonly reason: string;
  readonly remedy: string;
  /** How often the sign-in failed for this reason. */
  readonly count: number;
}

/**
 * Explains why the sign-ins of a user failed since the last one that succeeded, each reason once and the latest first.
 * @param events the events of the user, the latest first.
 */
export function explainFailures(events: readonly ShownEvent[]): readonly SignInFailure[] {
  const reasons = new Map<string, { event: ShownEvent; count: number }>();
  for (const event of events) {
    if (successTypes.has(event.type)) break;
    if (!Object.hasOwn(failureTexts, event.type)) continue;
    const key = JSON.stringify([event.type, event.description]);
    const known = reasons.get(key);
    if (known === undefined) reasons.set(key, { event, count: 1 });
    else known.count += 1;
  }
  return [...reasons.values()].slice(0, maximumReasons).map(({ event, count }) => ({ event, count, ...textsOf(event) }));
}

function textsOf({ type, description }: ShownEvent): { readonly reason: string; readonly remedy: string } {
  const [reason, remedy] = failureTexts[type] ?? ["", ""];
  // A text that the service wrote for this failure is more exact than that of the code.
  return { reason: reason === "" ? (description ?? type) : reason, remedy };
}
