import * as z from "zod";
import { identifierKinds } from "../../../domain/login/identifier.ts";
import { PosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import { proofsFor } from "../../possible-proofs.ts";
import { action, ask, pass, describeStep, step } from "../../step.ts";
import { Again, again } from "../again.ts";
import { InvitedTo, invitedTo } from "../invitation/invitation.ts";
import { identifierMissing, readTyped } from "../problems.ts";

const definition = describeStep({
  name: "identifier",
  summary: "Asks who somebody is",
  shows: {
    identifier: z.string().exactOptional().meta({ description: "What was typed or hinted before" }),
    kinds: z.array(z.enum(["email", "username", "phone"])).meta({ description: "What accounts are known by here" }),
    again: Again,
    invitation: InvitedTo.exactOptional(),
  },
  problems: { "identifier-missing": identifierMissing },
  silentError: ["login_required", "Login required"],
  actions: {
    continue: action({
      summary: "Say who one is",
      fields: { identifier: z.string().max(1000).exactOptional().meta({ description: "What the account is known by: see `kinds`" }) },
    })((_, { identifier: sent = "" }) => {
      const typed = readTyped(sent);
      return typed === undefined ? { problem: "identifier-missing" } : { change: (progress) => ({ ...progress, identifier: typed }) };
    }),
  },
});

/** What the step shows. */
export type IdentifierScreen = z.output<typeof definition.screen>;

/** Asks who somebody is. */
export const identifier = step(definition, {
  who: "anybody",
  async due(interaction, person) {
    if (person !== undefined || interaction.progress.identifier !== undefined) return pass;
    return ask(await screenFor(interaction));
  },
  revisit: async (interaction, person) => (person === undefined ? screenFor(interaction) : undefined),
});

/** A hint is shown and can be changed; it proves nothing. */
async function screenFor(interaction: Interaction): Promise<IdentifierScreen> {
  const { request, progress } = interaction;
  const [first] = await proofsFor(interaction);
  // Nobody is asked who they are where no connection lets them prove it.
  if (first === undefined) throw new PosternError("access_denied", "no connection that people sign in by is enabled for the client");
  const invitation = await invitedTo(interaction);
  const known = progress.identifier ?? request.login_hint ?? request.invitation?.email ?? "";
  return {
    name: "identifier",
    kinds: [...identifierKinds(first.connection)],
    ...(known !== "" && { identifier: known }),
    ...again(interaction),
    ...(invitation && { invitation }),
  };
}
