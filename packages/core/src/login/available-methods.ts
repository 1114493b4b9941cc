import type { Row } from "../store/schema.ts";
import { codeChannels, type CodeAddress, type CodeChannel } from "../identity/login/code-address.ts";
import { identifierKinds, type IdentifierKind } from "../identity/login/identifier.ts";
import { canMail, canText } from "../messages/send.ts";
import { passkeysEnabled } from "../identity/connections/passkey-settings.ts";
import { databaseOptions } from "../model/connections/strategies/database-options.ts";
import { isProviderSetUp } from "../identity/providers/passed-strategy.ts";
import { isUpstream } from "../model/connections/upstream.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { organizationIdOf, type Interaction } from "./interaction.ts";
import type { AuthenticationRecord } from "./authentication-record.ts";

/** An authentication method, and the connection that offers it. */
type AvailableMethod =
  | { readonly method: "pwd"; readonly connection: Row<"connections"> }
  /** `channels`: the channels through which codes are sent. */
  | { readonly method: "otp"; readonly connection: Row<"connections">; readonly channels: readonly CodeChannel[] }
  /** `federated`: a sign-in at the connection's identity provider. */
  | { readonly method: "federated"; readonly connection: Row<"connections"> }
  | { readonly method: "passkey"; readonly connection: Row<"connections"> };

/** A destination to which a code can be sent, and the connection that offers the code. */
export interface AvailableCode {
  readonly connection: Row<"connections">;
  readonly address: CodeAddress;
}

/** The limits on the authentication methods. */
interface Wanted {
  /** The name of the connection that is required. Omitted: all connections are allowed. */
  readonly connection?: string | undefined;
  /**
   * The id of the organization that the user signs in to. If the organization has connections, only these are allowed.
   */
  readonly organizationId?: string | undefined;
}

/**
 * Returns the authentication methods that pages offer for a client. The methods of the tenant's default directory come
 * first. If `connection` is set, returns only the methods of that connection.
 */
export async function availableMethods(
  tenant: RequestTenant,
  client: RegisteredClient,
  { connection: name, organizationId }: Wanted = {},
): Promise<readonly AvailableMethod[]> {
  const { connections } = tenant;
  if (name !== undefined) {
    const named = await connections.offeredNamed(client, name, organizationId);
    return named === undefined ? [] : proofsBy(tenant, named);
  }
  const { default_directory: first } = tenant.settings;
  const offered = (await connections.offeredBy(client, organizationId)).toSorted(
    (a, b) => Number(b.name === first) - Number(a.name === first),
  );
  return (await Promise.all(offered.map((connection) => proofsBy(tenant, connection)))).flat();
}

/** Returns the authentication methods that the pages of an interaction offer. */
export async function methodsFor(interaction: Interaction): Promise<readonly AvailableMethod[]> {
  return availableMethods(interaction.tenant, interaction.client, wantedBy(interaction));
}

/** Returns the authentication methods that an interaction accepts for one connection, even if no page offers them. */
export async function acceptedMethods(interaction: Interaction, { id, name }: Row<"connections">): Promise<readonly AvailableMethod[]> {
  const { tenant, client } = interaction;
  const wanted = wantedBy(interaction);
  if (wanted.connection !== undefined && wanted.connection !== name) return [];
  const { connections } = tenant;
  const [connection, offered] = await Promise.all([connections.byId(id), connections.offers(client, id, wanted.organizationId)]);
  return connection !== undefined && offered ? proofsBy(tenant, connection) : [];
}

function wantedBy(interaction: Interaction): Wanted {
  const { request, progress } = interaction;
  // A user who agreed to link an account may sign in to the existing one with any connection that the client allows.
  const connection = progress.pending_link?.agreed === true ? undefined : request.connection;
  return { connection, organizationId: organizationIdOf(interaction) };
}

/** Returns the first connection that offers this authentication method. */
export function connectionFor(proofs: readonly AvailableMethod[], method: AuthenticationRecord["method"]): Row<"connections"> | undefined {
  return proofs.find((proof) => proof.method === method)?.connection;
}

/**
 * Returns the first authentication method that applies to the identifier that the visitor entered. Returns undefined if
 * no method applies: for example, a username if all connections only send codes.
 * @param address the identifier as an email address or phone number.
 */
export function methodBy(proofs: readonly AvailableMethod[], address: CodeAddress | undefined): AvailableMethod | undefined {
  return proofs.find((proof) => proof.method === "pwd" || sendsCodesTo(proof, address));
}

/**
 * Returns the first destination and connection with which a code can be sent to the identifier that the visitor
 * entered.
 * @param address the identifier as an email address or phone number.
 */
export function codeFor(proofs: readonly AvailableMethod[], address: CodeAddress | undefined): AvailableCode | undefined {
  const connection = proofs.find((proof) => sendsCodesTo(proof, address))?.connection;
  return connection && address && { connection, address };
}

function sendsCodesTo(proof: AvailableMethod, address: CodeAddress | undefined): boolean {
  return proof.method === "otp" && address !== undefined && proof.channels.includes(address.channel);
}

const kindOf = { email: "email", sms: "phone" } as const;

/**
 * Returns the kinds of identifiers that are accepted: those of the first password database, and those that codes can be
 * sent to.
 */
export function acceptedIdentifierKinds(proofs: readonly AvailableMethod[]): readonly IdentifierKind[] {
  const database = connectionFor(proofs, "pwd");
  const channels = proofs.flatMap((proof) => (proof.method === "otp" ? proof.channels : []));
  return [...new Set([...(database ? identifierKinds(database) : []), ...channels.map((channel) => kindOf[channel])])];
}

async function proofsBy(tenant: RequestTenant, connection: Row<"connections">): Promise<readonly AvailableMethod[]> {
  const password = connection.strategy === "auth0" && databaseOptions(connection).authentication_methods?.password?.enabled !== false;
  // Offer only channels for which a sender is configured.
  const channels = codeChannels(connection).filter((channel) => (channel === "email" ? canMail(tenant) : canText(tenant)));
  // Offer passkeys only on hosts where browsers support them.
  const passkey = passkeysEnabled(connection) && (await tenant.relyingParty()) !== undefined;
  // Offer only providers that are configured.
  const provider = isUpstream(connection) && isProviderSetUp(tenant, connection);
  return [
    ...(provider ? [{ method: "federated" as const, connection }] : []),
    ...(password ? [{ method: "pwd" as const, connection }] : []),
    ...(channels.length > 0 ? [{ method: "otp" as const, connection, channels }] : []),
    ...(passkey ? [{ method: "passkey" as const, connection }] : []),
  ];
}
