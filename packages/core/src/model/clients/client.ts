import type { Row } from "../../store/schema.ts";
import type { SupportedClientSettings } from "./settings.ts";

/** A client with its parsed settings. */
export interface RegisteredClient {
  readonly record: Row<"clients">;
  readonly settings: SupportedClientSettings;
  /**
   * Whether the client inherits redirect URIs from a client of the control plane. Authorization responses are then sent
   * to the inherited URIs.
   */
  readonly usesInheritedRedirects?: true;
}
