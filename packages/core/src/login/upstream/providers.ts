import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { isProviderSetUp, passedStrategy } from "../../identity/providers/passed-strategy.ts";
import { connectionSettings, hasButton } from "../../model/connections/settings.ts";
import { domainOf } from "../../model/connections/strategies/email-authority.ts";
import { upstreamStrategy } from "../../model/connections/upstream.ts";
import { foldDomain } from "../../model/email-address.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { organizationIdOf, type Interaction } from "../interaction.ts";
import { methodsFor, acceptedMethods } from "../available-methods.ts";

/** An identity provider that a screen offers. */
export const providerChoiceSchema = z
  .strictObject({
    connection: z.string().meta({ description: "The name of the connection: the value for `continue-with`" }),
    label: z.string().meta({ description: "The display name of the provider" }),
    strategy: z.string().meta({ description: "The strategy of the connection, for the logo: `google-oauth2`, `github`, `oidc`" }),
    lastUsed: z.literal(true).exactOptional().meta({ description: "The last sign-in with this browser used this provider" }),
  })
  .meta({ id: "ProviderChoice" });

export type ProviderChoice = z.infer<typeof providerChoiceSchema>;

/** Returns the identity provider behind a connection, in the form that screens contain. */
export function toProviderChoice(tenant: RequestTenant, connection: Row<"connections">): ProviderChoice {
  const { name, display_name: displayName, strategy } = connection;
  const known = passedStrategy(tenant, connection) ?? upstreamStrategy(connection);
  return { connection: name, label: displayName || (known?.label ?? name), strategy };
}

/**
 * Returns the connection to an identity provider if the interaction accepts that connection, even if no page offers it.
 */
export async function acceptedProvider(
  interaction: Interaction,
  wanted: { readonly id: string } | { readonly name: string },
): Promise<Row<"connections"> | undefined> {
  const { connections } = interaction.tenant;
  const connection = "id" in wanted ? await connections.byId(wanted.id) : await connections.named(wanted.name);
  if (connection === undefined) return undefined;
  return (await acceptedMethods(interaction, connection)).some(({ method }) => method === "federated") ? connection : undefined;
}

/** Returns the connections to the identity providers that pages offer, in the client's order. */
export async function providersFor(interaction: Interaction): Promise<readonly Row<"connections">[]> {
  return (await methodsFor(interaction)).flatMap(({ method, connection }) => (method === "federated" ? [connection] : []));
}

/**
 * Returns the identity providers that have a button on the page: social providers, and enterprise providers with
 * `show_as_button`. The organization that the user signs in to can override this setting. If identity providers are the
 * only authentication methods, each of them has a button.
 */
export async function providerButtons(interaction: Interaction): Promise<readonly ProviderChoice[]> {
  const proofs = await methodsFor(interaction);
  const providers = await providersFor(interaction);
  const choose = (connection: Row<"connections">): ProviderChoice => ({
    ...toProviderChoice(interaction.tenant, connection),
    ...(connection.id === interaction.remembered.connection && { lastUsed: true }),
  });
  if (providers.length === proofs.length) return providers.map(choose);
  const organizationId = organizationIdOf(interaction);
  const enabled = organizationId === undefined ? [] : await interaction.tenant.organizationConnections(organizationId);
  const shown = (connection: Row<"connections">): boolean => {
    const { show_as_button: wanted } = connectionSettings(connection);
    return enabled.find(({ connection_id: id }) => id === connection.id)?.show_as_button ?? hasButton(connection, wanted);
  };
  return providers.filter(shown).map(choose);
}

/** Returns the enterprise provider for the domain of the email address that the visitor entered (`domain_aliases`). */
export async function providerOfDomain(interaction: Interaction, typed: string): Promise<Row<"connections"> | undefined> {
  if (!typed.includes("@")) return undefined;
  for (const { id } of await interaction.tenant.connections.ofDomain(domainOf(typed))) {
    const connection = await acceptedProvider(interaction, { id });
    if (connection !== undefined) return connection;
  }
  return undefined;
}

/** Returns the enterprise provider for a domain, whether it is enabled for a client or not. */
export async function providerForDomain(tenant: RequestTenant, domain: string): Promise<Row<"connections"> | undefined> {
  return (await tenant.connections.ofDomain(foldDomain(domain))).find((connection) => isProviderSetUp(tenant, connection));
}
