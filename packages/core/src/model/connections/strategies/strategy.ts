import type * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";
import type { SecretDestination } from "../../secret-destinations.ts";
import type { Inheritance } from "./inheritance.ts";
import type { ProviderDescription } from "./provider.ts";

/** The properties that all kinds of strategies have. */
interface StrategyBase {
  /** The title of the strategy for a documentation heading, such as `an OpenID Connect provider`. */
  readonly title: string;
  /** The schema of the options in a request body. */
  readonly options: z.ZodType;
  /** Default values for options of a new connection. */
  readonly defaults?: JsonObject;
  readonly inheritance: Inheritance;
  /** The options that determine where secrets are sent. Default: none, because the provider is fixed. */
  readonly destination?: SecretDestination;
}

/** A strategy whose accounts are stored in the tenant. */
export interface LocalStrategy extends StrategyBase {
  readonly kind: "database" | "passwordless";
}

/**
 * The logo of a provider on its button, as SVG paths in a square. The colors are those that the provider's guidelines
 * for sign-in buttons require, or `currentColor`.
 */
export interface SvgMark {
  /** The width and height of the square in the units of the paths. */
  readonly box: number;
  readonly paths: readonly (readonly [color: string, path: string])[];
}

/** How a provider redirects the browser to `/login/callback`. */
export interface ProviderCallback {
  /** `POST` if the provider sends a form, as an OAuth 2.0 provider does for `response_mode=form_post`. */
  readonly method: "GET" | "POST";
  /**
   * The parameters that the callback reads, including the state, with the maximum length of each. Other parameters are
   * ignored.
   */
  readonly parameters: { readonly [name: string]: number };
}

/** A strategy whose users sign in with an identity provider. */
export interface IdentityProviderStrategy extends StrategyBase {
  /** The users that the provider has accounts for. `social`: anyone. `enterprise`: only members of an organization. */
  readonly kind: "social" | "enterprise";
  /** The name of the provider on buttons. The connection's `display_name` overrides it. */
  readonly label: string;
  /** Default: the first letter of the name on the button. */
  readonly mark?: SvgMark;
  readonly callback: ProviderCallback;
  /** Returns how to send requests to the provider of a connection. */
  describe(options: JsonObject): ProviderDescription;
}

/** A strategy whose connections are validated and stored, but cannot sign users in. */
export interface StoredOnlyStrategy extends StrategyBase {
  readonly kind: "stored-only";
}

/** The definition of a strategy. Each definition is one file in this folder and one entry in `../strategies.ts`. */
export type Strategy = LocalStrategy | IdentityProviderStrategy | StoredOnlyStrategy;
