import type { ProviderCallback } from "./strategy.ts";

/** An OAuth 2.0 authorization response in the query (RFC 6749 section 4.1.2, RFC 9207). */
export const queryCallback: ProviderCallback = {
  method: "GET",
  parameters: { state: 300, code: 8000, iss: 2048, error: 300, error_description: 2000 },
};
