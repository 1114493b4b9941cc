import * as z from "zod";
import { endAccess } from "../../../identity/users/account-access.ts";
import { keepAccount } from "../../../identity/users/own-deletion.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { otherAccount } from "../other-account.ts";

const definition = describeStep({
  name: "keep-account",
  summary: "Asks a user who requested the deletion of the account whether to keep it",
  screenFields: {
    account: z.string().meta({ description: "The signed-in user" }),
    deletesAt: z.string().meta({ description: "When the account will be deleted, as an ISO 8601 timestamp" }),
  },
  problems: {},
  silentError: ["interaction_required", "the user must decide whether to keep the account"],
  actions: {
    "keep-account": action({ summary: "Keep the account", fields: {}, isConsent: true })(async ({ tenant, client }, _, { settled }) => {
      if (settled === undefined) return {};
      const { user, session } = settled.person;
      const kept = await keepAccount(tenant, user, { sessionId: session.id, client });
      return kept === undefined ? {} : { signedIn: { browser: { user: kept, session }, cookies: [] } };
    }),
    "delete-account": action({ summary: "Let the account be deleted, and sign out", fields: {} })(async ({ tenant }, _, { settled }) => {
      if (settled === undefined) return {};
      await endAccess(tenant, { event: "request-deletion", userId: settled.person.user.user_id });
      return { change: (progress) => ({ ...progress, declined: "The account will be deleted" }) };
    }),
    "other-account": otherAccount,
  },
});

export type KeepAccountScreen = z.output<typeof definition.screen>;

/**
 * Asks a user whether to keep the account that they wanted to delete. Until they keep it, no request for this user gets a
 * response with tokens.
 */
export const keepAccountStep = step(definition, {
  requiresSession: true,
  async decide(_, { person: { user } }) {
    const { deletes_at: at } = user;
    if (at === null) return passStep;
    return showScreen({ name: "keep-account", account: nameOf(user), deletesAt: new Date(at).toISOString() });
  },
});
