import type * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";
import type { SecretDestination } from "../../secret-destinations.ts";
import type { Inheritance } from "./inheritance.ts";
import type { ProviderDescription } from "./provider.ts";

/** The definition that all kinds of strategies have in common. */
interface StrategyBase {
  /**
   * The title of the strategy for a documentation heading: `an OpenID Connect provider`.
   */
  readonly title: string;
  /** The schema of the options in a request body. */
  readonly options: z.ZodType;
  /** The options of a new connection that its creator does not set. */
  readonly defaults?: JsonObject;
  readonly inheritance: Inheritance;
  /** The options that decide where secrets are sent. Default: none, because the provider is fixed. */
  readonly destination?: SecretDestination;
}

/** A strategy whose accounts belong to the tenant. */
export interface LocalStrategy extends StrategyBase {
  readonly kind: "database" | "passwordless";
}

/**
 * The mark of a provider on its button, as SVG paths in a square. The colors are those that the provider's rules for
 * sign-in buttons require, or `currentColor`.
 */
export interface SvgMark {
  /** The width and height of the square in the units of the paths. */
  readonly box: number;
  readonly paths: readonly (readonly [color: string, path: string])[];
}

/** How a provider sends the browser back to `/login/callback`. */
export interface ProviderCallback {
  /** `POST`: the provider sends a form, which an OAuth 2.0 provider does for `response_mode=form_post`. */
  readonly method: "GET" | "POST";
  /** The parameter that returns the state. */
  readonly state: string;
  /** The parameters that are read, the state included, with the maximum length of each. Others are ignored. */
  readonly parameters: { readonly [name: string]: number };
}

/** A strategy whose users sign in at an identity provider. */
export interface IdentityProviderStrategy extends StrategyBase {
  /** The accounts at the provider. `social`: anyone can have one. `enterprise`: only members of an organization. */
  readonly kind: "social" | "enterprise";
  /** The name of the provider on buttons. A `display_name` of the connection replaces it. */
  readonly label: string;
  /** Default: the first letter of the name on the button. */
  readonly mark?: SvgMark;
  readonly callback: ProviderCallback;
  /** Returns how to reach the provider of a connection. */
  describe(options: JsonObject): ProviderDescription;
}

/** A strategy whose connections are validated and stored, but cannot sign users in. */
export interface StoredOnlyStrategy extends StrategyBase {
  readonly kind: "stored-only";
}

/** The definition of a strategy. A definition is one file in this folder and one line in `../strategies.ts`. */
export type Strategy = LocalStrategy | IdentityProviderStrategy | StoredOnlyStrategy;
