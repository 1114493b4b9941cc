import * as z from "zod";
import type { Row } from "../../data/schema.ts";
import { connectionSettings } from "../../model/connections/connections.ts";
import { upstreamStrategy } from "../../model/connections/providers.ts";
import { domainOf } from "../../model/connections/strategies/provider.ts";
import type { Tenant } from "../../tenancy/tenant.ts";
import { organizationIdOf, type Interaction } from "../interaction.ts";
import { proofsFor } from "../possible-proofs.ts";

/** An identity provider that a screen offers. */
export const ProviderChoice = z
  .strictObject({
    connection: z.string().meta({ description: "The name of the connection: what `continue-with` takes" }),
    label: z.string().meta({ description: "The provider's name, for people" }),
    strategy: z.string().meta({ description: "What kind of provider it is, for its mark: `google-oauth2`, `github`, `oidc`" }),
  })
  .meta({ id: "ProviderChoice" });

export type ProviderChoice = z.infer<typeof ProviderChoice>;

/** As a screen shows the provider of a connection. */
export function toProviderChoice(connection: Row<"connections">): ProviderChoice {
  const { name, display_name: displayName, strategy } = connection;
  return { connection: name, label: displayName || (upstreamStrategy(connection)?.label ?? name), strategy };
}

/** The connections of identity providers that an interaction takes, in the client's order. */
export async function providersFor(interaction: Interaction): Promise<readonly Row<"connections">[]> {
  return (await proofsFor(interaction)).flatMap(({ method, connection }) => (method === "federated" ? [connection] : []));
}

/**
 * The providers that have a button: social ones, and of organizations' own those that say so (`show_as_button`), as the organization that is signed in to says. Where nothing else is offered,
 * all of them have one.
 */
export async function providerButtons(interaction: Interaction): Promise<readonly ProviderChoice[]> {
  const proofs = await proofsFor(interaction);
  const providers = await providersFor(interaction);
  if (providers.length === proofs.length) return providers.map(toProviderChoice);
  const organizationId = organizationIdOf(interaction);
  const enabled = organizationId === undefined ? [] : await interaction.tenant.organizationConnections(organizationId);
  const shown = (connection: Row<"connections">): boolean => {
    const { show_as_button: wanted = upstreamStrategy(connection)?.kind === "social" } = connectionSettings(connection);
    return enabled.find(({ connection_id: id }) => id === connection.id)?.show_as_button ?? wanted;
  };
  return providers.filter(shown).map(toProviderChoice);
}

/** The provider of an organization's own whose people have addresses like the one that was typed (`domain_aliases`). */
export async function providerOfDomain(interaction: Interaction, typed: string): Promise<Row<"connections"> | undefined> {
  if (!typed.includes("@")) return undefined;
  const domain = domainOf(typed);
  return (await providersFor(interaction)).find((connection) => isForDomain(connection, domain));
}

/** The provider of an organization's own whose people have addresses of a domain, whatever client they use. */
export async function providerForDomain(tenant: Tenant, domain: string): Promise<Row<"connections"> | undefined> {
  return (await tenant.connections()).find((connection) => isForDomain(connection, domain.toLowerCase()));
}

function isForDomain(connection: Row<"connections">, domain: string): boolean {
  const { domain_aliases: aliases } = connection.options;
  const own = upstreamStrategy(connection)?.kind === "enterprise" && Array.isArray(aliases);
  return own && aliases.some((alias) => typeof alias === "string" && alias.toLowerCase() === domain);
}
