import type { Row } from "../data/schema.ts";
import { databaseOptions } from "../model/connections/strategies/database-options.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { organizationIdOf, type Interaction } from "./interaction.ts";
import type { Proof } from "./proof.ts";

/** A proof that could be given. */
export interface PossibleProof {
  readonly method: Proof["method"];
  readonly connection: Row<"connections">;
}

/** What decides which proofs are taken. */
interface Wanted {
  /** The name of the only connection that counts. */
  readonly connection?: string | undefined;
  /** The organization whose members are asked. */
  readonly organizationId?: string | undefined;
}

/** The proofs that a client's people can give, the tenant's default directory first. */
export async function possibleProofs(tenant: Tenant, client: Client, wanted: Wanted = {}): Promise<readonly PossibleProof[]> {
  const open = await tenant.connectionsFor(client, wanted.organizationId);
  const named = wanted.connection === undefined ? open : open.filter(({ name }) => name === wanted.connection);
  const { default_directory: first } = tenant.settings;
  return named.toSorted((a, b) => Number(b.name === first) - Number(a.name === first)).flatMap(proofsBy);
}

/** The proofs that an interaction takes. */
export async function proofsFor(interaction: Interaction): Promise<readonly PossibleProof[]> {
  const { tenant, client, request } = interaction;
  return possibleProofs(tenant, client, { connection: request.connection, organizationId: organizationIdOf(interaction) });
}

/** The first connection by which a proof of this kind is taken. */
export function connectionFor(proofs: readonly PossibleProof[], method: Proof["method"]): Row<"connections"> | undefined {
  return proofs.find((proof) => proof.method === method)?.connection;
}

function proofsBy(connection: Row<"connections">): readonly PossibleProof[] {
  const password = connection.strategy === "auth0" && databaseOptions(connection).authentication_methods?.password?.enabled !== false;
  return password ? [{ method: "pwd", connection }] : [];
}
