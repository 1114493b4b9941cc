import * as z from "zod";
import { action, type Problem } from "../../step.ts";
import { providersFor, acceptedProvider } from "../../upstream/providers.ts";
import { redirectToProvider } from "../../upstream/redirect-to-provider.ts";

/**
 * The problems that a sign-in at an identity provider can have. Every step that offers such a sign-in includes them.
 */
export const providerProblems = {
  "provider-declined": { text: "providerDeclined", error: ["access_denied", "the user did not sign in at the identity provider"] },
  "provider-failed": { text: "providerFailed", error: ["access_denied", "the identity provider did not return the user's identity"] },
  "provider-closed": { text: "noAccountHere", error: ["access_denied", "the connection does not create accounts"] },
  blocked: { text: "blocked", error: ["access_denied", "user is blocked"] },
} as const satisfies { readonly [name: string]: Problem };

/** Redirects to an identity provider. Every step that offers a sign-in at an identity provider has this action. */
export const continueWith = action({
  summary: "Sign in at an identity provider. The response contains the URL for the browser",
  fields: {
    connection: z.string().max(128).exactOptional().meta({ description: "The `connection` of an offered provider. Default: the only one" }),
  },
})(async (interaction, { connection: name }) => {
  const [first, ...others] = name === undefined ? await providersFor(interaction) : [];
  const only = others.length === 0 ? first : undefined;
  const chosen = name === undefined ? only : await acceptedProvider(interaction, { name });
  // The provider was disabled after the page was rendered.
  if (chosen === undefined) return {};
  return redirectToProvider(interaction, chosen);
});
