import * as z from "zod";
import { continueWith, providerProblems } from "./continue-with.ts";
import { providerOfExistingAccount } from "../link-account/existing-provider.ts";
import { signInWithoutLinking } from "../link-account/without-linking.ts";
import { acceptedProvider, providerChoiceSchema, toProviderChoice } from "../../upstream/providers.ts";
import { showScreen, describeStep, passStep, step } from "../../step.ts";

const definition = describeStep({
  name: "provider",
  summary: "Offers the identity provider that the client requested, or the provider of the account that is to be linked",
  screenFields: {
    provider: providerChoiceSchema.meta({ description: "The provider" }),
    linking: z
      .literal(true)
      .exactOptional()
      .meta({ description: "Present if the user must sign in to an existing account to link it. The action `another-way` ends that" }),
  },
  problems: providerProblems,
  silentError: ["login_required", "Login required"],
  actions: { "continue-with": continueWith, "another-way": signInWithoutLinking },
});

export type ProviderScreen = z.output<typeof definition.screen>;

/**
 * Offers only the identity provider that the client requested. The hosted page of this step redirects to the provider
 * automatically. Users see the page only if they return from the provider without a sign-in. To a user who agreed to link
 * an account that has only a provider, offers that provider instead.
 */
export const provider = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { request, progress } = interaction;
    if (session !== undefined) return passStep;
    if (progress.pending_link !== undefined) {
      const existing = await providerOfExistingAccount(interaction);
      return existing === undefined
        ? passStep
        : showScreen({ name: "provider", provider: toProviderChoice(interaction.tenant, existing), linking: true });
    }
    const connection = request.connection === undefined ? undefined : await acceptedProvider(interaction, { name: request.connection });
    return connection === undefined
      ? passStep
      : showScreen({ name: "provider", provider: toProviderChoice(interaction.tenant, connection) });
  },
});
