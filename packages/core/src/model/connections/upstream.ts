import type { Row } from "../../store/schema.ts";
import { foldDomain } from "../email-address.ts";
import { strategies } from "./strategies.ts";
import type { IdentityProviderStrategy, Strategy } from "./strategies/strategy.ts";

type Connection = Pick<Row<"connections">, "strategy">;

/** Returns the definition of a strategy, or undefined if the strategy is unknown. */
export function strategyNamed(name: string): Strategy | undefined {
  return Object.hasOwn(strategies, name) ? strategies[name] : undefined;
}

/**
 * Returns the strategy of a connection whose users sign in with an identity provider, or undefined for any other
 * connection.
 */
export function upstreamStrategy({ strategy }: Connection): IdentityProviderStrategy | undefined {
  const found = strategyNamed(strategy);
  return found?.kind === "social" || found?.kind === "enterprise" ? found : undefined;
}

/**
 * Whether the accounts of a connection belong to an identity provider, including providers that Postern does not
 * support.
 */
export function isUpstream({ strategy }: Connection): boolean {
  const kind = strategyNamed(strategy)?.kind;
  return kind !== "database" && kind !== "passwordless";
}

/** Returns the type of a strategy in log events. */
export function strategyType({ strategy }: Connection): "database" | "passwordless" | "social" | "enterprise" {
  const kind = strategyNamed(strategy)?.kind;
  return kind === undefined || kind === "stored-only" ? "enterprise" : kind;
}

/**
 * Returns the email domains whose users sign in with an enterprise connection (the option `domain_aliases`), in the
 * spelling of {@link foldDomain}. Returns an empty list for any other connection.
 */
export function domainsOf({ strategy, options }: Pick<Row<"connections">, "strategy" | "options">): readonly string[] {
  const { domain_aliases: aliases } = options;
  if (strategyType({ strategy }) !== "enterprise" || !Array.isArray(aliases)) return [];
  return [...new Set(aliases.flatMap((alias) => (typeof alias === "string" ? [foldDomain(alias)] : [])))];
}

/**
 * Returns `true` if the first login at an identity provider creates a user. With `set_user_root_attributes:
 * "never_on_login"`, logins neither create users nor update their profile, as in Auth0: users are created by other means.
 * They can still link the provider to an existing user.
 */
export function createsUsersAtLogin({ options }: Pick<Row<"connections">, "options">): boolean {
  return options["disable_signup"] !== true && options["set_user_root_attributes"] !== "never_on_login";
}
