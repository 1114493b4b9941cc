import * as z from "zod";
import { canReuseConsent, hasConsented, rememberConsent } from "../../../authorization/consent.ts";
import { decideScopes, type GrantDecision } from "../../../authorization/grant-decision.ts";
import { documentHostOf } from "../../../branding/client-name.ts";
import type { RegisteredClient } from "../../../model/clients/client.ts";
import { isExternal } from "../../../model/clients/external.ts";
import { isExposedHttp } from "../../../model/clients/registered-urls.ts";
import type { Interaction } from "../../interaction.ts";
import { action, showScreen, describeStep, step, type SignInState } from "../../step.ts";
import { deny } from "../deny.ts";
import { requestedScopeSchema, toRequestedScopes } from "../../requested-scope.ts";
import { nameOf } from "../name-of.ts";
import { otherAccount } from "../other-account.ts";

const definition = describeStep({
  name: "consent",
  summary: "Asks the user to consent to the scopes that the client requests, and to a client that acts for the user",
  screenFields: {
    client: z
      .strictObject({
        name: z
          .string()
          .meta({ description: "The display name. If `unverified` is present, the client chose it, and no administrator checked it" }),
        logoUri: z.string().exactOptional().meta({ description: "The URL of the logo" }),
        unverified: z
          .literal(true)
          .exactOptional()
          .meta({ description: "The client registered itself: show that its name is unchecked, and where the response goes" }),
        documentHost: z.string().exactOptional().meta({
          description: "The host of an unverified client's metadata document: the name by which users can recognize the client",
        }),
      })
      .meta({ description: "The client that requests consent" }),
    account: z.string().meta({ description: "The signed-in user" }),
    audience: z.string().exactOptional().meta({ description: "The name of the API, if the request has an audience" }),
    actsForUser: z.literal(true).exactOptional().meta({
      description: "Present if the client also asks to act for the user at the API, when other clients send it the user's tokens",
    }),
    destination: z.string().meta({ description: "The host that receives the response, or the scheme of a native app's redirect URI" }),
    destinationKind: z.enum(["website", "this-computer", "this-device"]).exactOptional().meta({
      description:
        "What receives the response of an unverified client: the website `destination`, an app on the user's computer (a loopback address), or an app on the device that opens links with the scheme `destination`",
    }),
    scopes: z.array(requestedScopeSchema).meta({ description: "The requested scopes" }),
  },
  problems: {},
  silentError: ["consent_required", "the user must consent first"],
  actions: {
    accept: action({
      summary: "Give consent",
      fields: {
        may_act: z.literal("true").exactOptional().meta({
          description:
            "Send it if the page showed `actsForUser`. Without it, the user consents only to the scopes, and the client cannot act for them",
        }),
      },
      isConsent: true,
    })(async (interaction, { may_act: shown }, { settled }) => {
      if (settled === undefined) return {};
      const userId = settled.person.user.user_id;
      const decided = await decideGrant(interaction, settled);
      // The setting of the client may have changed since the page was rendered.
      await rememberConsent(interaction.tenant, { ...decided, mayAct: decided.mayAct && shown !== undefined });
      return { change: (progress) => ({ ...progress, consented_by: userId }) };
    }),
    deny,
    "other-account": otherAccount,
  },
});

export type ConsentScreen = z.output<typeof definition.screen>;

/** Asks for consent to the scopes that the client requests. */
export const consent = step(definition, {
  requiresSession: true,
  async decide(interaction, settled) {
    const { tenant, request, progress } = interaction;
    const { user } = settled.person;
    const decided = await decideGrant(interaction, settled);
    // The page on which the user confirms the device lists the scopes, and its consent is never remembered.
    if (request.ending === "device") return { kind: "pass", settled: { decided } };
    const mustAsk = request.prompt.includes("consent") || !canReuseConsent(interaction.client, request.redirect_uri);
    const required = decided.needsConsent || decided.mayAct;
    const needed = decided.needsConsent ? decided : { ...decided, scope: [] };
    const agreed = progress.consented_by === user.user_id || (!mustAsk && (!required || (await hasConsented(tenant, needed))));
    return agreed ? { kind: "pass", settled: { decided } } : showScreen(toScreen(interaction, settled, decided));
  },
});

async function decideGrant(interaction: Interaction, { person, organization }: SignInState): Promise<GrantDecision> {
  return decideScopes(interaction, { userId: person.user.user_id, organizationId: organization?.id });
}

function toScreen({ client, request }: Interaction, { person }: SignInState, decision: GrantDecision): ConsentScreen {
  const { audienceName, mayAct } = decision;
  const { protocol, host } = new URL(request.redirect_uri);
  const destinationKind = destinationKindOf(request.redirect_uri);
  return {
    name: "consent",
    client: isExternal(client.record) ? unverifiedClient(client) : registeredClient(client),
    account: nameOf(person.user),
    ...(audienceName !== undefined && { audience: audienceName }),
    ...(mayAct && { actsForUser: true as const }),
    destination: destinationKind === "this-device" ? protocol.slice(0, -1) : host,
    ...(isExternal(client.record) && { destinationKind }),
    scopes: toRequestedScopes(decision),
  };
}

function registeredClient({ record, settings: { logo_uri: logoUri = "" } }: RegisteredClient): ConsentScreen["client"] {
  return { name: record.name, ...(logoUri !== "" && { logoUri }) };
}

/** Describes an external client, without a logo: an image can imitate another company. */
function unverifiedClient(client: RegisteredClient): ConsentScreen["client"] {
  const documentHost = documentHostOf(client);
  return { name: client.record.name, unverified: true, ...(documentHost !== undefined && { documentHost }) };
}

/** Native apps receive responses at loopback addresses and with custom schemes (RFC 8252 section 7). */
function destinationKindOf(redirectUri: string): NonNullable<ConsentScreen["destinationKind"]> {
  const { protocol } = new URL(redirectUri);
  if (protocol === "http:") return isExposedHttp(redirectUri) ? "website" : "this-computer";
  return protocol === "https:" ? "website" : "this-device";
}
