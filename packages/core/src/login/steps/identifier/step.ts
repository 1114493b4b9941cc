import * as z from "zod";
import { identifierKinds } from "../../../domain/login/identifier.ts";
import type { Row } from "../../../data/schema.ts";
import { PosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import { connectionFor, proofsFor } from "../../possible-proofs.ts";
import { action, ask, pass, describeStep, step } from "../../step.ts";
import { Again, again } from "../again.ts";
import { InvitedTo, invitedTo } from "../invitation/invitation.ts";

/** Characters of an identifier at most: no key holds more. */
const longest = 320;

const definition = describeStep({
  name: "identifier",
  summary: "Asks who somebody is",
  shows: {
    identifier: z.string().exactOptional().meta({ description: "What was typed or hinted before" }),
    kinds: z.array(z.enum(["email", "username", "phone"])).meta({ description: "What accounts are known by here" }),
    again: Again,
    invitation: InvitedTo.exactOptional(),
  },
  problems: {
    "identifier-missing": {
      text: "identifierMissing",
      field: "identifier",
      error: ["invalid_request", "body: 'identifier' is missing"],
    },
  },
  silentError: ["login_required", "Login required"],
  actions: {
    continue: action({
      summary: "Say who one is",
      fields: { identifier: z.string().max(1000).exactOptional().meta({ description: "What the account is known by: see `kinds`" }) },
    })((_, { identifier: sent = "" }) => {
      const typed = sent.trim();
      if (typed === "" || typed.length > longest) return { problem: "identifier-missing" };
      return { change: (progress) => ({ ...progress, identifier: typed }) };
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
  const connection = await passwordConnection(interaction);
  const invitation = await invitedTo(interaction);
  const known = progress.identifier ?? request.login_hint ?? request.invitation?.email ?? "";
  return {
    name: "identifier",
    kinds: [...identifierKinds(connection)],
    ...(known !== "" && { identifier: known }),
    ...again(interaction),
    ...(invitation && { invitation }),
  };
}

/** The connection whose accounts are asked for. @throws {PosternError} `access_denied`: nobody is asked for a password that no connection takes. */
export async function passwordConnection(interaction: Interaction): Promise<Row<"connections">> {
  const connection = connectionFor(await proofsFor(interaction), "pwd");
  if (connection === undefined) throw new PosternError("access_denied", "no password connection is enabled for the client");
  return connection;
}
