import type { Row } from "../../store/schema.ts";
import type { ClientSettings } from "./settings.ts";

/** A client with its parsed settings. */
export interface Client {
  readonly record: Row<"clients">;
  readonly settings: ClientSettings;
  /**
   * Its responses are sent to the redirect URIs of the control plane's client that it inherits from, not to its own
   * redirect URIs.
   */
  readonly answersLent?: true;
}
