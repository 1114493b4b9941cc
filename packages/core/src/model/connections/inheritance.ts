import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import type { Inheritance } from "./strategies/inheritance.ts";
import { upstreamInheritance } from "./strategies/upstream.ts";
import { strategyNamed } from "./upstream.ts";

/** A connection, as far as that says whether it inherits. */
type Lendable = Pick<Row<"connections">, "strategy" | "name" | "options" | "secrets">;

/**
 * Whether a connection inherits from another tenant's: they have the same name and strategy, and it has no secret and says nothing about the provider itself. An option that nobody here knows
 * may be an endpoint: what was lent is never sent to where the borrower says.
 */
export function inheritsProvider(connection: Lendable, lender: Lendable): boolean {
  const { name, strategy, options, secrets } = connection;
  if (lender.name !== name || lender.strategy !== strategy || Object.keys(secrets).length > 0) return false;
  const { preferences, own, choosing = [] } = lendingOf(strategy);
  const harmless = new Set([...preferences, ...own]);
  return Object.entries(options).every(
    ([option, value]) => harmless.has(option) || saysNothing(value) || (typeof value === "boolean" && !choosing.includes(option)),
  );
}

/** The options of a connection with those that it inherits. */
export function withInheritedOptions({ strategy, options }: Lendable, lender: Lendable): JsonObject {
  const { preferences, own } = lendingOf(strategy);
  const lent = Object.entries(lender.options).filter(([option]) => !own.includes(option));
  // What says nothing takes nothing away, but for a preference: null is one.
  const said = Object.entries(options).filter(
    ([option, value]) => preferences.includes(option) || own.includes(option) || !saysNothing(value),
  );
  return Object.fromEntries([...lent, ...said]);
}

function lendingOf(strategy: string): Inheritance {
  return strategyNamed(strategy)?.lending ?? upstreamInheritance;
}

function saysNothing(value: Json): boolean {
  return value === null || value === "";
}
