import { strategies } from "./strategies.ts";
import type { ProviderCallback, Strategy } from "./strategies/strategy.ts";

/** The maximum length of each callback parameter, by the name of the parameter. */
export type CallbackParameters = ProviderCallback["parameters"];

/** The parameters that `/login/callback` accepts. */
interface AcceptedCallbacks {
  /**
   * The parameters of all strategies. The callback redirects a form to the same URL with the form's parameters in the
   * query.
   */
  readonly query: CallbackParameters;
  /** The parameters of the strategies whose providers send a form. */
  readonly form: CallbackParameters;
  /** The names of the parameters in which providers return the state. */
  readonly states: readonly string[];
}

/** Returns the parameters that the callback accepts for these strategies. */
export function acceptedCallbacks(definitions: { readonly [name: string]: Strategy }): AcceptedCallbacks {
  const callbacks = Object.values(definitions).flatMap((strategy) => ("callback" in strategy ? [strategy.callback] : []));
  return {
    query: mergeParameters(callbacks),
    form: mergeParameters(callbacks.filter(({ method }) => method === "POST")),
    states: [...new Set(callbacks.map(({ state }) => state))],
  };
}

/** The parameters that `/login/callback` accepts: those of any known strategy. */
export const callbacks: AcceptedCallbacks = acceptedCallbacks(strategies);

/** Merges the parameters of several callbacks. The largest maximum length of a parameter applies. */
function mergeParameters(callbacks: readonly ProviderCallback[]): CallbackParameters {
  const lengths = new Map<string, number>();
  for (const [name, length] of callbacks.flatMap(({ parameters }) => Object.entries(parameters)))
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  return Object.fromEntries(lengths);
}
