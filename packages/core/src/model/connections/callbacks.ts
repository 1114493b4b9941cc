import { strategies } from "./strategies.ts";
import type { ProviderCallback, Strategy } from "./strategies/strategy.ts";

/** The maximum length of each callback parameter, by the name of the parameter. */
export type CallbackParameters = ProviderCallback["parameters"];

/** The names of the parameters in which providers return the state. `RelayState`: the name in SAML, only in a form. */
export const callbackStates = ["RelayState", "state"] as const;

/** The parameters that a callback without a form accepts: those of any strategy. */
export const callbackParameters: CallbackParameters = mergeParameters(strategies);

/** Merges the parameters of several strategies. The largest maximum length of a parameter applies. */
export function mergeParameters(definitions: { readonly [name: string]: Strategy }): CallbackParameters {
  const lengths = new Map<string, number>();
  const callbacks = Object.values(definitions).flatMap((strategy) => ("callback" in strategy ? [strategy.callback] : []));
  for (const [name, length] of callbacks.flatMap(({ parameters }) => Object.entries(parameters)))
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  return Object.fromEntries(lengths);
}
