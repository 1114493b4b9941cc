import * as z from "zod";
import { action, showScreen, describeStep, passStep, step } from "../../step.ts";
import { aimProgress } from "../../progress.ts";
import { codeProgress } from "../code/progress.ts";
import { tooManyCodesProblem } from "../problems.ts";
import { providerProblems } from "../provider/continue-with.ts";
import { providerChoiceSchema, toProviderChoice } from "../../upstream/providers.ts";
import { linkChoices, sendLinkCode } from "./by-code.ts";
import { signInWithoutLinking } from "./without-linking.ts";
import { continueWithSeparateAccount } from "./separate-account.ts";

const definition = describeStep({
  name: "link-account",
  summary:
    "Asks a user who came from an identity provider to sign in to the existing account with the same email address, to link both accounts",
  screenFields: {
    email: z.string().meta({ description: "The email address of the existing account" }),
    provider: providerChoiceSchema.meta({ description: "The provider that authenticated the user" }),
    byCode: z
      .literal(true)
      .exactOptional()
      .meta({ description: "Present if a code that is sent to the email address is sufficient instead: see `send-link-code`" }),
    ownAccount: z
      .literal(true)
      .exactOptional()
      .meta({ description: "Present if the user can continue with a separate account for the provider: see `own-account`" }),
    failed: z
      .literal(true)
      .exactOptional()
      .meta({ description: "Present if the code was correct but the provider's account cannot be linked" }),
  },
  problems: {
    "too-many-codes": tooManyCodesProblem,
    "provider-closed": providerProblems["provider-closed"],
    blocked: providerProblems.blocked,
  },
  silentError: ["login_required", "Login required"],
  actions: {
    "link-account": action({ summary: "Sign in to the existing account and link it", fields: {} })(() => ({
      leaves: [codeProgress, aimProgress],
      change: (progress) => {
        const { pending_link: pending } = progress;
        if (pending === undefined) return progress;
        return { ...progress, identifier: pending.profile.email ?? "", pending_link: { ...pending, agreed: true } };
      },
    })),
    "send-link-code": action({ summary: "Send a code to the email address, to prove ownership of the account", fields: {} })(
      async (interaction, _, { rendering }) => sendLinkCode(interaction, rendering),
    ),
    "own-account": action({ summary: "Continue with a separate account for the provider, without linking", fields: {} })(
      async (interaction) => continueWithSeparateAccount(interaction),
    ),
    "another-way": signInWithoutLinking,
  },
});

export type LinkAccountScreen = z.output<typeof definition.screen>;

/**
 * Asks the user to sign in to the existing account with the same email address, or to prove that they receive its mail.
 * Only a user whom an identity provider authenticated with this email address learns that the account exists.
 */
export const linkAccount = step(definition, {
  requiresSession: false,
  async decide(interaction, session) {
    const { tenant, progress } = interaction;
    const { pending_link: pending } = progress;
    if (session !== undefined || pending === undefined || pending.agreed === true) return passStep;
    const connection = await tenant.connections.byId(pending.connection_id);
    if (connection === undefined) return passStep;
    const { byCode, ownAccount } = await linkChoices(interaction);
    return showScreen({
      name: "link-account",
      email: pending.profile.email ?? "",
      provider: toProviderChoice(tenant, connection),
      ...(byCode && { byCode: true }),
      ...(ownAccount && { ownAccount: true }),
      ...(pending.failed === true && { failed: true }),
    });
  },
});
