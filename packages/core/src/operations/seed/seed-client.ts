import type * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { removeClientGrant } from "../../identity/organizations/client-grants.ts";
import { weaknessOf } from "../../crypto/secret-strength.ts";
import type { JsonObject } from "../../store/value.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { parseInput } from "../../http/validation.ts";
import { createClientSchema, type clientSchema } from "../../model/clients/bodies.ts";
import { sendsOnlyWithin } from "../../model/clients/response-destinations.ts";
import { fromCreateClient, toClient } from "../../model/clients/clients.ts";
import { globalClientId } from "../../model/clients/global-client.ts";
import { readKeysOfClient } from "../../management/keys/read-key.ts";
import { managementIdentifier } from "../../tenants/audience.ts";
import type { Installation } from "../../tenants/installation.ts";
import type { ClientSeed } from "./seed-tenant.ts";

/** The result of seeding a client. */
export interface SeededClient {
  readonly clientId: string;
  readonly isNew: boolean;
  /** The stored client, as the Management API returns it. */
  readonly stored: z.infer<typeof clientSchema>;
  /** The settings in the seed with defaults, in the format of the Management API. */
  readonly wanted: z.infer<typeof clientSchema>;
  /** Whether the client's secret differs from the seed, or is missing. */
  readonly hasOtherSecret: boolean;
}

/**
 * Creates a client that a seed defines. Users can administer the tenant through the client. An existing client stays
 * unchanged, with one exception: administration through it is allowed again if it sends codes and tokens only to URLs,
 * and only in ways, that the seed allows ({@link sendsOnlyWithin}). So a restart does not approve a URL that was added
 * through the API.
 * @throws {PosternError} `configuration_error` for an invalid id, secret or settings, and for an id that belongs to
 * another tenant.
 */
export async function seedClient(installation: Installation, data: TenantData, tenantId: string, seed: ClientSeed): Promise<SeededClient> {
  const { collections, urls } = installation;
  const { clientId, secret } = seed;
  if (!/^[\x21-\x7e]{1,64}$/.test(clientId))
    throw new PosternError("configuration_error", `'${clientId}' is not a valid client id: use 1 to 64 ASCII characters without spaces`);
  if (clientId === globalClientId) throw new PosternError("configuration_error", `'${clientId}' is the id of the global client`);
  if (clientId === "search") throw new PosternError("configuration_error", "'search' cannot be a client id: it is the path of a search");
  const weakness = secret === undefined ? undefined : weaknessOf(secret, 16);
  if (weakness !== undefined) throw new PosternError("configuration_error", `the secret of client '${clientId}' ${weakness}`);
  const settings = await readSettings(seed);
  const now = installation.now();
  const secretHash = secret === undefined ? null : await sha256(secret);
  const known = await findOne(data.clients, { client_id: clientId });
  const record = {
    ...fromCreateClient(settings, {
      newCredentialId: () => installation.random.record("cred_"),
      now,
      issuer: urls.issuer,
      signingAlgorithm: installation.config.signingAlgorithm,
    }),
    client_id: clientId,
    secret_hash: secretHash,
    may_administer: true,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  const outcome = (row: Row<"clients">, isNew: boolean): SeededClient => ({
    clientId,
    isNew,
    stored: toClient(row, tenantId),
    wanted: toClient(record, tenantId),
    hasOtherSecret: secretHash !== null && row.secret_hash !== secretHash,
  });
  // Also for an existing client, because the host application decides which clients manage the tenant.
  if (known !== undefined) {
    if (seed.managesTenant === true) await grantEverything(installation, data, clientId);
    if (!known.may_administer && sendsOnlyWithin(known, record)) {
      // Updates only the revision that was compared, not a later one.
      const compared = { client_id: clientId, revision: known.revision };
      await data.clients.update(compared, { set: { may_administer: true, updated_at: now }, add: { revision: 1 } });
    }
    const before = outcome(known, false);
    if (before.hasOtherSecret && seed.sync === true) {
      await data.clients.update({ client_id: clientId }, { set: { secret_hash: secretHash, updated_at: now }, add: { revision: 1 } });
    }
    return before;
  }

  await collections.directory.insert([{ kind: "client", value: clientId, tenant_id: tenantId, created_at: now }]);
  const owner = await findOne(collections.directory, { kind: "client", value: clientId });
  if (owner?.tenant_id !== tenantId) throw new PosternError("configuration_error", `the client id '${clientId}' belongs to another tenant`);
  if (seed.managesTenant === true) await grantEverything(installation, data, clientId);
  const isNew = await data.clients.insert([record]);
  const stored = isNew ? record : await findOne(data.clients, { client_id: clientId });
  if (stored === undefined) throw new PosternError("configuration_error", `the client '${clientId}' was deleted while it was created`);
  return outcome(stored, isNew);
}

/**
 * Parses the settings of a client. The input from the host application is validated like input from API callers.
 * @throws {PosternError} `configuration_error` with the reason.
 */
async function readSettings({ clientId, settings }: ClientSeed): Promise<z.infer<typeof createClientSchema>> {
  try {
    return await readKeysOfClient(await parseInput(createClientSchema, settings, "body"));
  } catch (error) {
    if (!isPosternError(error)) throw error;
    const reason = error.message.replace(/^body: /, "");
    throw new PosternError("configuration_error", `client '${clientId}' cannot be used: ${reason}`, { cause: error });
  }
}

/**
 * Grants a client every scope of the Management API, regardless of its current client grant. If the grant already has
 * all scopes, this costs one query.
 */
async function grantEverything(installation: Installation, data: TenantData, clientId: string): Promise<void> {
  const now = installation.now();
  const settings = { allow_all_scopes: true } satisfies JsonObject;
  const of = { client_id: clientId, audience: managementIdentifier, subject_type: "client" };
  const widen = async () => {
    const changed = await changeRow(data.client_grants, of, ({ settings: before }) =>
      before["allow_all_scopes"] === true ? undefined : { settings: { ...before, ...settings }, updated_at: now },
    );
    if (changed.outcome === "lost-race") throw lostRace("client grant");
    return changed.outcome;
  };
  if ((await widen()) !== "absent") return;
  const row = {
    id: installation.random.record("cgr_"),
    ...of,
    scope: [],
    organization_usage: null,
    allow_any_organization: false,
    settings,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  // Another process that starts at the same time may have inserted the client grant. Otherwise the deletion of the
  // previous grant has begun and is not finished.
  if ((await data.client_grants.insert([row])) || (await widen()) !== "absent") return;
  const left = await findOne(data.client_grants, { ...of, deleting_at: { exists: true } });
  if (left !== undefined) await removeClientGrant(data, left.id, new WorkLimit());
  await data.client_grants.insert([row]);
}
