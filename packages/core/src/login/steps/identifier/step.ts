import * as z from "zod";
import { PosternError } from "../../../errors.ts";
import { readCodeAddress } from "../../../identity/login/code-address.ts";
import { findMisspelledPhone } from "../../../identity/login/identifier.ts";
import type { RegisteredClient } from "../../../model/clients/client.ts";
import { isExternal } from "../../../model/clients/external.ts";
import type { Interaction } from "../../interaction.ts";
import { codeFor, connectionFor, acceptedIdentifierKinds, methodBy, methodsFor } from "../../available-methods.ts";
import { action, showScreen, passStep, describeStep, step, type ActionResult } from "../../step.ts";
import { reauthenticationFieldSchema, reauthentication } from "../reauthentication.ts";
import { invitedToSchema, invitedTo } from "../invitation/invitation.ts";
import { continueWith, providerProblems } from "../provider/continue-with.ts";
import { providerButtons, providerChoiceSchema, providerOfDomain } from "../../upstream/providers.ts";
import { requestLoginCode } from "../code/request.ts";
import { identifierMissing, phoneMisspelledIn, readTyped, rejectMisspelled, tooManyCodesProblem } from "../problems.ts";
import { signUpConnection, signUpInstead } from "../sign-up/connection.ts";
import { passkeyProblems, passkeySignIn, passkeySignInSchema, usePasskey } from "../webauthn/passkey-sign-in.ts";
import { identifierFields } from "./identifier-fields.ts";
import { redirectToProvider } from "../../upstream/redirect-to-provider.ts";

const definition = describeStep({
  name: "identifier",
  summary: "Requests the visitor's identifier",
  screenFields: {
    ...identifierFields,
    again: reauthenticationFieldSchema,
    providers: z.array(providerChoiceSchema).readonly().exactOptional().meta({ description: "The identity providers to offer" }),
    signUp: z.literal(true).exactOptional().meta({ description: "The visitor can sign up" }),
    passkey: passkeySignInSchema.exactOptional(),
    invitation: invitedToSchema.exactOptional(),
  },
  problems: {
    "identifier-missing": identifierMissing,
    "address-invalid": {
      text: "addressInvalid",
      field: "identifier",
      error: ["invalid_request", "body: 'identifier' must be an email address or phone number that a code can be sent to"],
    },
    ...phoneMisspelledIn("identifier"),
    "too-many-codes": tooManyCodesProblem,
    ...passkeyProblems,
    ...providerProblems,
  },
  silentError: ["login_required", "Login required"],
  actions: {
    continue: action({
      summary: "Submit the identifier",
      fields: { identifier: z.string().max(1000).exactOptional().meta({ description: "The identifier of the account: see `kinds`" }) },
    })(async (interaction, { identifier: sent = "" }, { rendering }) => {
      const typed = readTyped(sent);
      if (typed === undefined) return { problem: "identifier-missing" };
      const provider = await providerOfDomain(interaction, typed);
      if (provider !== undefined) {
        return redirectToProvider(interaction, provider, typed);
      }
      const proofs = await methodsFor(interaction);
      const misspelled = await findMisspelledPhone(acceptedIdentifierKinds(proofs), typed);
      if (misspelled !== undefined) return rejectMisspelled("identifier", misspelled);
      const address = await readCodeAddress(typed);
      const code = methodBy(proofs, address)?.method === "pwd" ? undefined : codeFor(proofs, address);
      if (code !== undefined) return requestLoginCode(interaction, code, typed, rendering);
      const change: ActionResult["change"] = (progress) => ({ ...progress, identifier: typed });
      // Codes cannot be sent to a username.
      return connectionFor(proofs, "pwd") === undefined ? { problem: "address-invalid" } : { change };
    }),
    "use-passkey": usePasskey,
    "continue-with": continueWith,
    "sign-up": signUpInstead,
  },
});

export type IdentifierScreen = z.output<typeof definition.screen>;

/** Asks for the visitor's identifier. */
export const identifier = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    if (session !== undefined || interaction.progress.identifier !== undefined) return passStep;
    return showScreen(await screenFor(interaction));
  },
  revisit: async (interaction, session) => (session === undefined ? screenFor(interaction) : undefined),
});

/**
 * Returns the screen. `login_hint` only fills in the field: the visitor can change the identifier, and must still
 * authenticate.
 */
async function screenFor(interaction: Interaction): Promise<IdentifierScreen> {
  const { request, progress } = interaction;
  const proofs = await methodsFor(interaction);
  // If no authentication method is available, there is no reason to ask for an identifier.
  if (proofs.length === 0) throw noConnection(interaction.client);
  const invitation = await invitedTo(interaction);
  const providers = await providerButtons(interaction);
  const known = progress.identifier ?? request.login_hint ?? request.invitation?.email ?? "";
  return {
    name: "identifier",
    kinds: [...acceptedIdentifierKinds(proofs)],
    ...(known !== "" && { identifier: known }),
    ...reauthentication(interaction),
    ...(providers.length > 0 && { providers }),
    ...((await signUpConnection(interaction)) && { signUp: true }),
    ...(await passkeySignIn(interaction)),
    ...(invitation && { invitation }),
  };
}

/** Returns the error if the client offers no connection. The user of an external client sees it on a page. */
function noConnection({ record }: RegisteredClient): PosternError {
  const description = "no connection for signing in is enabled for the client";
  if (!isExternal(record)) return new PosternError("access_denied", description);
  return new PosternError("access_denied", description, {
    reason: "no-connection",
    hint: "A client that registered itself offers only connections with 'is_domain_connection': true",
  });
}
