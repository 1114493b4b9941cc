import * as z from "zod";
import { action, type Problem } from "../../step.ts";
import { providersFor, acceptedProvider } from "../../upstream/providers.ts";
import { redirectToProvider } from "../../upstream/redirect-to-provider.ts";

/** What may come of a way to an identity provider, at the steps that lead there. */
export const providerProblems = {
  "provider-declined": { text: "providerDeclined", error: ["access_denied", "the person did not sign in at the identity provider"] },
  "provider-failed": { text: "providerFailed", error: ["access_denied", "the identity provider did not say who the person is"] },
  "provider-closed": { text: "noAccountHere", error: ["access_denied", "the connection makes no accounts"] },
  blocked: { text: "blocked", error: ["access_denied", "user is blocked"] },
} as const satisfies { readonly [name: string]: Problem };

/** Goes to an identity provider: an action of the steps that offer one. */
export const continueWith = action({
  summary: "Sign in at an identity provider. The answer says where the browser goes",
  fields: {
    connection: z.string().max(128).exactOptional().meta({ description: "Which of those that are shown. Left out: the only one" }),
  },
})(async (interaction, { connection: name }) => {
  const [first, ...others] = name === undefined ? await providersFor(interaction) : [];
  const only = others.length === 0 ? first : undefined;
  const chosen = name === undefined ? only : await acceptedProvider(interaction, { name });
  // A page from before the provider was switched off.
  if (chosen === undefined) return {};
  return redirectToProvider(interaction, chosen);
});
