import { Metadata } from "../../fields.ts";

/** Why a connection cannot set a parameter of the authorization request at its provider. */
const refused = {
  client_id: "the ID token must be issued to the option 'client_id' of the connection",
  redirect_uri: "the provider must send the browser back to the callback of Postern",
  response_type: "only the code flow is validated",
  response_mode: "the response must reach the callback as the strategy expects it",
  state: "the response is validated with it",
  nonce: "the ID token is validated with it",
  code_challenge: "the code is redeemed with its verifier",
  code_challenge_method: "the code is redeemed with its verifier",
  request: "a request object replaces parameters that are validated",
  request_uri: "a request object replaces parameters that are validated",
} as const;

/** A parameter that Postern sets, because it validates the response with it. */
export type ValidatedParameter = keyof typeof refused;

/** Parameters for the provider: `{ "hd": { "value": "corp.example" }, "hint": { "alias": "login_hint" } }`. */
export const UpstreamParams = Metadata.superRefine((parameters, context) => {
  for (const [name, reason] of Object.entries(refused))
    if (Object.hasOwn(parameters, name)) context.addIssue({ code: "custom", path: [name], message: `must not be set: ${reason}` });
});
