import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import type { Inheritance } from "./strategies/inheritance.ts";
import { upstreamInheritance } from "./strategies/upstream.ts";
import { strategyNamed } from "./upstream.ts";

/** The fields of a connection that decide whether it inherits. */
type Lendable = Pick<Row<"connections">, "strategy" | "name" | "options" | "secrets">;

/**
 * Returns `true` if a connection inherits from a connection of another tenant: they have the same name and strategy,
 * and the inheriting connection has no secret and no options that describe the provider. An unknown option counts as
 * such, because it may be an endpoint: inherited secrets must never be sent to an endpoint that the inheriting tenant
 * chose.
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

/** Returns the options of a connection, including those that it inherits. */
export function withInheritedOptions({ strategy, options }: Lendable, lender: Lendable): JsonObject {
  const { preferences, own } = lendingOf(strategy);
  const lent = Object.entries(lender.options).filter(([option]) => !own.includes(option));
  // An empty value does not override an inherited one, except for a preference, where null is a value.
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
