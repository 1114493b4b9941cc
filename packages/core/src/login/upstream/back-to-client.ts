import { appendParameters } from "../../http/append-parameters.ts";
import type { Interaction } from "../interaction.ts";
import type { ActionResult } from "../step.ts";
import { ownLinkProgress } from "./progress.ts";

const errors = {
  "other-session": ["access_denied", "the browser has no session of the user who connects the account"],
  "session-ended": ["access_denied", "the session in which the link began has ended"],
  "provider-declined": ["access_denied", "the user did not sign in at the identity provider"],
  "unmet-requirements": [
    "unmet_authentication_requirements",
    "the identity provider does not show that the user authenticated as 'prompt' or 'max_age' requires",
  ],
  "connection-unavailable": ["server_error", "the connection is no longer available"],
  "provider-failed": ["server_error", "the identity provider did not return the user's identity"],
} as const;

/** Why an account is not connected. */
export type ConnectProblem = keyof typeof errors;

/** Returns the description of a problem, which the client receives. */
export function describeProblem(problem: ConnectProblem): string {
  return errors[problem][1];
}

/** Redirects the browser to the client that connects an account, and ends the interaction. */
export function backToClient(
  { request }: Pick<Interaction, "request">,
  parameters: { readonly connect_code: string } | { readonly problem: ConnectProblem },
): ActionResult & Required<Pick<ActionResult, "redirectTo">> {
  const { redirect_uri: redirectUri, state } = request;
  const fields = "problem" in parameters ? errorOf(parameters.problem) : parameters;
  return {
    redirectTo: appendParameters(redirectUri, { ...fields, ...(state !== undefined && { state }) }),
    leaves: [ownLinkProgress],
  };
}

function errorOf(problem: ConnectProblem): { readonly error: string; readonly error_description: string } {
  const [error, description] = errors[problem];
  return { error, error_description: description };
}
