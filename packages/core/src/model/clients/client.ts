import type { Row } from "../../store/schema.ts";
import type { SupportedClientSettings } from "./settings.ts";

/** A client with its parsed settings. */
export interface Client {
  readonly record: Row<"clients">;
  readonly settings: SupportedClientSettings;
  /**
   * Whether authorization responses are sent to redirect URIs that are inherited from a client of the control plane.
   */
  readonly usesInheritedRedirects?: true;
}
