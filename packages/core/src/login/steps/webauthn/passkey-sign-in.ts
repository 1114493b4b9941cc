import * as z from "zod";
import { passkeyAuthentication, signInWithPasskey } from "../../../identity/login/passkey-login.ts";
import { authenticationOptions, type Authentication } from "../../../identity/webauthn/authentication.ts";
import { passkeySettings } from "../../../identity/connections/passkey-settings.ts";
import { findCredential } from "../../../identity/webauthn/credential.ts";
import { authenticationResponseSchema, requestOptionsSchema } from "../../../model/factors/webauthn.ts";
import type { Row } from "../../../store/schema.ts";
import { methodsFor } from "../../available-methods.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { Interaction } from "../../interaction.ts";
import { browserSession } from "../../start-session.ts";
import { action, type ActionResult, type Problem } from "../../step.ts";
import { keyResponseField, parseKeyResponse } from "./key-response.ts";
import { passkeySignInProgress } from "./progress.ts";
import { passkeySupportField, withPasskeySupport } from "./passkey-support.ts";

/** The field of a screen on which the visitor can sign in with a passkey. */
export const passkeySignInSchema = z
  .strictObject({
    publicKey: requestOptionsSchema.meta({ description: "The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()`" }),
    autofill: z.boolean().meta({ description: "Whether the field for the identifier offers passkeys (conditional mediation)" }),
    button: z.boolean().meta({ description: "Whether the page has a button for passkeys" }),
    unknown: z.string().exactOptional().meta({
      description: "The id of the rejected passkey, if no user has it: the argument of `PublicKeyCredential.signalUnknownCredential()`",
    }),
  })
  .meta({ id: "PasskeySignIn", description: "The visitor can sign in with a passkey: submit the action `use-passkey`" });

/** The problems of a step with the action {@link usePasskey}. */
export const passkeyProblems = {
  "passkey-rejected": {
    text: "passkeyFailed",
    error: ["invalid_grant", "the passkey was rejected. Request new options before retrying"],
  },
  blocked: { text: "blocked", error: ["access_denied", "user is blocked"] },
  "too-many-attempts": {
    text: "tooManyAttempts",
    error: ["TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in some minutes."],
  },
} as const satisfies { readonly [name: string]: Problem };

/** Signs the visitor in with a passkey. A step that shows {@link passkeySignIn} has this action. */
export const usePasskey = action({
  summary: "Sign in with a passkey",
  fields: { response: keyResponseField, ...passkeySupportField },
})(async (interaction, { response = "", passkeys }) => withPasskeySupport(await signIn(interaction, response), passkeys));

/** Returns the field of a screen with which the visitor can sign in with a passkey. Empty if no connection allows it. */
export async function passkeySignIn(interaction: Interaction): Promise<{ readonly passkey?: z.output<typeof passkeySignInSchema> }> {
  const authentication = await authenticationOf(interaction);
  const settings = (await passkeyConnections(interaction)).flatMap((connection) => passkeySettings(connection) ?? []);
  if (authentication === undefined || settings.length === 0) return {};
  const { problem, unknown_passkey: unknown } = interaction.progress;
  return {
    passkey: {
      publicKey: await authenticationOptions(interaction.tenant, authentication),
      autofill: settings.some(({ hasAutofill }) => hasAutofill),
      button: settings.some(({ hasButton }) => hasButton),
      ...(problem?.name === "passkey-rejected" && unknown !== undefined && { unknown }),
    },
  };
}

async function signIn(interaction: Interaction, response: string): Promise<ActionResult> {
  const { tenant, client } = interaction;
  const connections = await passkeyConnections(interaction);
  const authentication = await authenticationOf(interaction);
  if (authentication === undefined || connections.length === 0 || response === "") return { problem: "passkey-rejected" };
  const parsed = parseKeyResponse(response);
  const result = await signInWithPasskey(tenant, {
    client,
    connections,
    authentication,
    response: parsed,
    sessionAt: (connection) => browserSession(interaction, { method: "passkey", connection, userVerified: true }),
  });
  switch (result.kind) {
    case "rejected": {
      const unknown = await unknownCredential(interaction, authentication, parsed);
      return {
        problem: "passkey-rejected",
        leaves: [passkeySignInProgress],
        ...(unknown !== undefined && { change: (progress) => ({ ...progress, unknown_passkey: unknown }) }),
      };
    }
    case "blocked":
      return { problem: "blocked" };
    case "refused":
      return { problem: "too-many-attempts", refusal: result.error };
    case "signed-in": {
      const { user, account, started, attachment, recorded } = result;
      const identifier = account.email || account.username || (account.phone_number ?? "");
      const { change = (same) => same, ...completed } = await completeSignIn(interaction, user, identifier, started);
      const isRemote = attachment === "cross-platform";
      return {
        ...completed,
        change: (progress) => ({ ...change(progress), ...(isRemote && { used_remote_passkey: true }) }),
        recorded,
      };
    }
  }
}

/** Returns the id of the passkey in a response, if no user of the tenant has it. The browser should no longer offer it. */
async function unknownCredential(
  { tenant }: Interaction,
  { relyingParty: { rpId } }: Authentication,
  response: unknown,
): Promise<string | undefined> {
  const { data: parsed } = authenticationResponseSchema.safeParse(response);
  if (parsed === undefined) return undefined;
  return (await findCredential(tenant.data, rpId, parsed.id)) === undefined ? parsed.id : undefined;
}

async function passkeyConnections(interaction: Interaction): Promise<readonly Row<"connections">[]> {
  return (await methodsFor(interaction)).flatMap(({ method, connection }) => (method === "passkey" ? [connection] : []));
}

/** Undefined if the host does not support WebAuthn, and for a request without a login session (`prompt=none`). */
async function authenticationOf({ tenant, login }: Interaction): Promise<Authentication | undefined> {
  const relyingParty = login && (await tenant.relyingParty());
  return login && relyingParty && passkeyAuthentication(relyingParty, login.id);
}
