import type { Row } from "../store/schema.ts";
import { codeChannels, readCodeAddress, type CodeAddress, type CodeChannel } from "../identity/login/code-address.ts";
import { identifierKinds, type IdentifierKind } from "../identity/login/identifier.ts";
import { canMail, canText } from "../messages/send.ts";
import { databaseOptions } from "../model/connections/strategies/database-options.ts";
import { textIn } from "../model/connections/strategies/provider.ts";
import { isUpstream, upstreamStrategy } from "../model/connections/upstream.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import { organizationIdOf, type Interaction } from "./interaction.ts";
import type { AuthenticationRecord } from "./authentication-record.ts";

/** A proof that could be given. */
export type AvailableMethod =
  | { readonly method: "pwd"; readonly connection: Row<"connections"> }
  /** `channels`: how codes reach people. */
  | { readonly method: "otp"; readonly connection: Row<"connections">; readonly channels: readonly CodeChannel[] }
  /** The word of the connection's identity provider. */
  | { readonly method: "federated"; readonly connection: Row<"connections"> };

/** A code that could be sent: to where, and for which connection. */
export interface AvailableCode {
  readonly connection: Row<"connections">;
  readonly address: CodeAddress;
}

/** What decides which proofs are taken. */
interface Wanted {
  /** The name of the only connection that counts. */
  readonly connection?: string | undefined;
  /** The organization whose members are asked. */
  readonly organizationId?: string | undefined;
}

/** The proofs that pages offer a client's people, the tenant's default directory first; where a connection is named, those that it takes. */
export async function availableMethods(
  tenant: Tenant,
  client: Client,
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

/** The proofs that the pages of an interaction offer. */
export async function methodsFor(interaction: Interaction): Promise<readonly AvailableMethod[]> {
  return availableMethods(interaction.tenant, interaction.client, wantedBy(interaction));
}

/** The proofs of one connection that an interaction takes, whether pages offer them or not. */
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
  // Who is to sign in to the account of their address does that by whatever that account has.
  const connection = progress.pending_link?.agreed === true ? undefined : request.connection;
  return { connection, organizationId: organizationIdOf(interaction) };
}

/** The first connection by which a proof of this kind is taken. */
export function connectionFor(proofs: readonly AvailableMethod[], method: AuthenticationRecord["method"]): Row<"connections"> | undefined {
  return proofs.find((proof) => proof.method === method)?.connection;
}

/** The first way to prove oneself by what somebody typed. Undefined: by none, such as a username where codes alone are sent. */
export function methodBy(proofs: readonly AvailableMethod[], typed: string): AvailableMethod | undefined {
  return proofs.find((proof) => proof.method === "pwd" || (proof.method === "otp" && readCodeAddress(proof.channels, typed) !== undefined));
}

/** The first code that could be sent to what somebody typed. */
export function codeFor(proofs: readonly AvailableMethod[], typed: string): AvailableCode | undefined {
  for (const proof of proofs) {
    const address = proof.method === "otp" ? readCodeAddress(proof.channels, typed) : undefined;
    if (address !== undefined) return { connection: proof.connection, address };
  }
  return undefined;
}

const kindOf = { email: "email", sms: "phone" } as const;

/** What accounts are known by here: by the first password database, and by where codes are sent. */
export function acceptedIdentifierKinds(proofs: readonly AvailableMethod[]): readonly IdentifierKind[] {
  const database = connectionFor(proofs, "pwd");
  const channels = proofs.flatMap((proof) => (proof.method === "otp" ? proof.channels : []));
  return [...new Set([...(database ? identifierKinds(database) : []), ...channels.map((channel) => kindOf[channel])])];
}

async function proofsBy(tenant: Tenant, connection: Row<"connections">): Promise<readonly AvailableMethod[]> {
  const password = connection.strategy === "auth0" && databaseOptions(connection).authentication_methods?.password?.enabled !== false;
  // Nobody is offered a code that nothing sends.
  const channels = codeChannels(connection).filter((channel) => (channel === "email" ? canMail(tenant) : canText(tenant)));
  // Nobody is led to a provider that is not set up.
  const provider = isUpstream(connection) && (await isSetUp(connection));
  return [
    ...(provider ? [{ method: "federated" as const, connection }] : []),
    ...(password ? [{ method: "pwd" as const, connection }] : []),
    ...(channels.length > 0 ? [{ method: "otp" as const, connection, channels }] : []),
  ];
}

/** Whether a connection says where its identity provider is, and as whose client we come. */
async function isSetUp(connection: Row<"connections">): Promise<boolean> {
  return (
    upstreamStrategy(connection)?.describe(connection.options).place !== undefined && textIn(connection.options, "client_id") !== undefined
  );
}
