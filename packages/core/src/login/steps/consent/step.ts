import * as z from "zod";
import { hasConsented, rememberConsent } from "../../../authorization/consent.ts";
import { decideScopes, type GrantDecision } from "../../../authorization/grant-decision.ts";
import type { Interaction } from "../../interaction.ts";
import { action, showScreen, describeStep, step, type SignInState } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { otherAccount } from "../other-account.ts";

const definition = describeStep({
  name: "consent",
  summary: "Asks whether a client may have what it asks for",
  shows: {
    client: z
      .strictObject({
        name: z.string().meta({ description: "For people" }),
        logoUri: z.string().exactOptional().meta({ description: "The address of its logo" }),
      })
      .meta({ description: "Who asks" }),
    account: z.string().meta({ description: "Who is signed in" }),
    audience: z.string().exactOptional().meta({ description: "The API's name, where it is for an API" }),
    destination: z.string().meta({ description: "The host that the answer goes to; of an app's own address its scheme" }),
    scopes: z
      .array(
        z.strictObject({
          value: z.string().meta({ description: "As the client asked for it" }),
          description: z.string().exactOptional().meta({ description: "What it allows, for people, where the API says so" }),
        }),
      )
      .meta({ description: "What it asks for" }),
  },
  problems: {},
  silentError: ["consent_required", "the person must agree first"],
  actions: {
    accept: action({ summary: "Allow it", fields: {}, agrees: true })(async (interaction, _, { settled }) => {
      if (settled === undefined) return {};
      const userId = settled.person.user.user_id;
      await rememberConsent(interaction.tenant, await decide(interaction, settled));
      return { change: (progress) => ({ ...progress, consented_by: userId }) };
    }),
    deny: action({ summary: "Do not allow it", fields: {} })(() => ({
      change: (progress) => ({ ...progress, declined: "User did not authorize the request" }),
    })),
    "other-account": otherAccount,
  },
});

export type ConsentScreen = z.output<typeof definition.screen>;

/** Asks for consent to the client's request. */
export const consent = step(definition, {
  who: "person",
  async due(interaction, settled) {
    const { tenant, request, progress } = interaction;
    const { user } = settled.person;
    const decided = await decide(interaction, settled);
    const asked = request.prompt.includes("consent");
    const agreed = progress.consented_by === user.user_id || (!asked && (!decided.needsConsent || (await hasConsented(tenant, decided))));
    return agreed ? { kind: "pass", settled: { decided } } : showScreen(toScreen(interaction, settled, decided));
  },
});

async function decide(interaction: Interaction, { person, organization }: SignInState): Promise<GrantDecision> {
  return decideScopes(interaction, { userId: person.user.user_id, organizationId: organization?.id });
}

function toScreen(
  { client, request }: Interaction,
  { person }: SignInState,
  { scope, audienceName, descriptions }: GrantDecision,
): ConsentScreen {
  const { logo_uri: logoUri = "" } = client.settings;
  const { protocol, host } = new URL(request.redirect_uri);
  return {
    name: "consent",
    client: { name: client.record.name, ...(logoUri !== "" && { logoUri }) },
    account: nameOf(person.user),
    ...(audienceName !== undefined && { audience: audienceName }),
    destination: protocol.startsWith("http") ? host : protocol.slice(0, -1),
    scopes: scope.map((value) => {
      const description = descriptions[value];
      return { value, ...(description !== undefined && { description }) };
    }),
  };
}
