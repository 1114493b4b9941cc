import { appendParameters } from "../../http/append-parameters.ts";
import type { Interaction } from "../interaction.ts";
import type { ActionResult } from "../step.ts";
import { ownLinkProgress } from "./progress.ts";

/** The error description if the browser has no session of the user who connects an account. */
export const otherSession = "the browser has no session of the user who connects the account";

/** Why an account is not connected. */
export type ConnectProblem = "other-session" | "provider-failed" | "provider-declined" | "unmet-requirements";

const errors: { readonly [Problem in ConnectProblem]: readonly [error: string, description: string] } = {
  "other-session": ["access_denied", otherSession],
  "provider-declined": ["access_denied", "the user did not sign in at the identity provider"],
  "unmet-requirements": ["unmet_authentication_requirements", "the identity provider does not say when the user authenticated"],
  "provider-failed": ["server_error", "the identity provider did not return the user's identity"],
};

/** Redirects the browser to the client that connects an account, and ends the interaction. */
export function backToClient(
  { tenant, request }: Interaction,
  parameters: { readonly connect_code: string } | { readonly problem: ConnectProblem },
): ActionResult & Required<Pick<ActionResult, "redirectTo" | "change">> {
  const { redirect_uri: redirectUri, state } = request;
  const [error, description] = "problem" in parameters ? errors[parameters.problem] : [];
  const fields = "problem" in parameters ? { error: error ?? "", error_description: description ?? "" } : parameters;
  return {
    redirectTo: appendParameters(redirectUri, { ...fields, ...(state !== undefined && { state }) }),
    leaves: [ownLinkProgress],
    change: (progress) => ({ ...progress, answered_at: tenant.now() }),
  };
}
