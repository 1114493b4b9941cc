import * as z from "zod";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { shownSections } from "../../../tenants/account-sections.ts";
import { securityPath } from "../../../tenants/ticket-links.ts";
import { openRecoveryCode } from "../../shown-recovery-code.ts";
import { recoveryCodeProgress } from "./progress.ts";

const definition = describeStep({
  name: "recovery-code",
  summary: "Shows the user's new recovery code once",
  screenFields: {
    code: z.string().meta({ description: "The recovery code. The user must store it: it is not shown again" }),
    isReplacement: z
      .literal(true)
      .exactOptional()
      .meta({ description: "The user entered the former recovery code, which can no longer be used" }),
    accountSecurity: z.string().exactOptional().meta({
      description: "The URL of the page on which the user can replace a factor that they lost. Only with `isReplacement`",
    }),
  },
  problems: {},
  silentError: ["interaction_required", "the user must store a recovery code"],
  actions: {
    "recovery-code-stored": action({ summary: "Confirm that the user has stored the recovery code", fields: {} })(() => ({
      leaves: [recoveryCodeProgress],
    })),
  },
});

export type RecoveryCodeScreen = z.output<typeof definition.screen>;

/** Shows the user's new recovery code once, after the first factor was added or after a recovery code was used. */
export const recoveryCodeStep = step(definition, {
  requiresSession: true,
  async decide(interaction, { person }) {
    const shown = await openRecoveryCode(interaction, person.user.user_id);
    if (shown === undefined) return passStep;
    const { code, isReplacement } = shown;
    const { tenant } = interaction;
    const parameters = new URLSearchParams(tenant.tenantParameter).toString();
    const accountSecurity = tenant.urls.urlFor(securityPath) + (parameters === "" ? "" : `?${parameters}`);
    const isShown = shownSections(tenant).includes("security");
    return showScreen({ name: "recovery-code", code, ...(isReplacement && { isReplacement, ...(isShown && { accountSecurity }) }) });
  },
});
