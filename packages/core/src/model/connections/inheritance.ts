import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import type { Inheritance } from "./strategies/inheritance.ts";
import { upstreamInheritance } from "./strategies/upstream.ts";
import { strategyNamed } from "./upstream.ts";

/** The fields of a connection that determine whether it inherits. */
type InheritanceFields = Pick<Row<"connections">, "strategy" | "name" | "options" | "secrets">;

/**
 * Returns `true` if a connection inherits from a connection of another tenant. Both must have the same name and
 * strategy, and the inheriting connection must have no secret and no options that identify a provider. An unknown
 * option counts as such an option, because it may be an endpoint: inherited secrets must never be sent to an endpoint
 * that the inheriting tenant chose.
 */
export function inheritsProvider(connection: InheritanceFields, parent: InheritanceFields): boolean {
  const { name, strategy, options, secrets } = connection;
  if (parent.name !== name || parent.strategy !== strategy || Object.keys(secrets).length > 0) return false;
  const { preferences, neverInherited, selectingFlags = [] } = inheritanceOf(strategy);
  const allowed = new Set([...preferences, ...neverInherited]);
  return Object.entries(options).every(
    ([option, value]) => allowed.has(option) || value === "" || (typeof value === "boolean" && !selectingFlags.includes(option)),
  );
}

/** Returns the options of a connection, including those that it inherits. */
export function withInheritedOptions({ strategy, options }: InheritanceFields, parent: InheritanceFields): JsonObject {
  const { preferences, neverInherited } = inheritanceOf(strategy);
  const inherited = Object.entries(parent.options).filter(([option]) => !neverInherited.includes(option));
  // An empty value does not override an inherited value, except for a preference.
  const configured = Object.entries(options).filter(
    ([option, value]) => preferences.includes(option) || neverInherited.includes(option) || value !== "",
  );
  return Object.fromEntries([...inherited, ...configured]);
}

function inheritanceOf(strategy: string): Inheritance {
  return strategyNamed(strategy)?.inheritance ?? upstreamInheritance;
}
