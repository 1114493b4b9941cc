import { metadataSchema } from "../../fields.ts";

/** Parameters of the authorization request that a connection cannot set, with the reasons. */
const refused = {
  client_id: "the ID token must be issued to the option 'client_id' of the connection",
  redirect_uri: "the provider must send the browser back to the callback of Postern",
  response_type: "only the code flow is validated",
  response_mode: "the strategy determines how the callback receives the response",
  state: "Postern validates the response with it",
  nonce: "Postern validates the ID token with it",
  code_challenge: "Postern redeems the code with its own code verifier",
  code_challenge_method: "Postern redeems the code with its own code verifier",
  request: "a request object replaces parameters that are validated",
  request_uri: "a request object replaces parameters that are validated",
} as const;

/** A parameter that Postern sets, because Postern uses it to validate the response. */
export type ValidatedParameter = keyof typeof refused;

/**
 * Additional parameters for the provider: `{ "hd": { "value": "corp.example" }, "hint": { "alias": "login_hint" } }`.
 */
export const upstreamParamsSchema = metadataSchema.superRefine((parameters, context) => {
  for (const [name, reason] of Object.entries(refused))
    if (Object.hasOwn(parameters, name)) context.addIssue({ code: "custom", path: [name], message: `must not be set: ${reason}` });
});
