import * as z from "zod";
import type { Interaction, BrowserSession } from "../../interaction.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { otherAccount } from "../other-account.ts";

const definition = describeStep({
  name: "select-account",
  summary: "Asks whether to continue with the signed-in account or another one",
  screenFields: {
    accounts: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: "The display name" }),
          email: z.string().exactOptional().meta({ description: "The email address" }),
          picture: z.string().exactOptional().meta({ description: "The URL of the picture" }),
        }),
      )
      .meta({ description: "The signed-in accounts. In this version, the list always has one account" }),
  },
  problems: {},
  silentError: ["login_required", "Login required"],
  actions: {
    "continue-as": action({ summary: "Continue with the signed-in account", fields: {}, isConsent: true })(({ browser }) => {
      const chosen = browser?.user.user_id;
      return chosen === undefined ? {} : { change: (progress) => ({ ...progress, chosen }) };
    }),
    "other-account": otherAccount,
  },
});

export type SelectAccountScreen = z.output<typeof definition.screen>;

/** Asks whether to continue with the signed-in account or another one. */
export const selectAccount = step(definition, {
  requiresSession: false,
  async decide({ request, progress, browser }) {
    if (!request.prompt.includes("select_account") || browser === undefined) return passStep;
    const decided =
      progress.pending !== undefined || progress.proofs.length > 0 || progress.chosen === "" || progress.chosen === browser.user.user_id;
    return decided ? passStep : showScreen(screenFor(browser));
  },
  async revisit({ request, progress, browser }: Interaction) {
    const open = request.prompt.includes("select_account") && progress.proofs.length === 0;
    return open && browser !== undefined ? screenFor(browser) : undefined;
  },
});

function screenFor({ user }: BrowserSession): SelectAccountScreen {
  const account = {
    name: user.name || user.email || user.user_id,
    ...(user.email !== "" && { email: user.email }),
    ...(user.picture !== null && { picture: user.picture }),
  };
  return { name: "select-account", accounts: [account] };
}
