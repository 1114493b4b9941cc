import * as z from "zod";
import { continueWith, providerProblems } from "./continue-with.ts";
import { acceptedProvider, providerChoiceSchema, toProviderChoice } from "../../upstream/providers.ts";
import { showScreen, describeStep, passStep, step } from "../../step.ts";

const definition = describeStep({
  name: "provider",
  summary: "Offers the identity provider that the client requested",
  screenFields: { provider: providerChoiceSchema.meta({ description: "The requested provider" }) },
  problems: providerProblems,
  silentError: ["login_required", "Login required"],
  actions: { "continue-with": continueWith },
});

export type ProviderScreen = z.output<typeof definition.screen>;

/**
 * Offers only the identity provider that the client requested. The hosted page of this step redirects to the provider
 * automatically. Users see the page only if they return from the provider without a sign-in.
 */
export const provider = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { request, progress } = interaction;
    if (session !== undefined || request.connection === undefined || progress.pending_link !== undefined) return passStep;
    const connection = await acceptedProvider(interaction, { name: request.connection });
    return connection === undefined ? passStep : showScreen({ name: "provider", provider: toProviderChoice(connection) });
  },
});
