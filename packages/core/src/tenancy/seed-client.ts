import { sha256 } from "../adapters/digest.ts";
import { changeRow, outrun } from "../data/change-row.ts";
import type { TenantData } from "../data/tenant-data.ts";
import { removeClientGrant } from "../domain/organizations/client-grants.ts";
import { weaknessOf } from "../domain/sealing/secret-strength.ts";
import type { JsonObject } from "../data/value.ts";
import { PosternError } from "../errors.ts";
import { parseInput } from "../http/validation.ts";
import { CreateClient } from "../model/clients/bodies.ts";
import { answersWithin } from "../model/clients/answers.ts";
import { fromCreateClient } from "../model/clients/clients.ts";
import { globalClientId } from "../model/clients/global-client.ts";
import { managementIdentifier } from "./audience.ts";
import type { Installation } from "./installation.ts";
import type { SeedClient } from "./seed.ts";

/**
 * A client that an installation begins with, through which people may administer the tenant. One that is there stays as it is, but that people may administer through it again
 * where its answers go nowhere but where the host says: an address that somebody added through the API is not vouched for by a restart.
 * @throws {PosternError} `configuration_error` for an id or a secret that cannot be used, and for an id that another tenant has;
 * `invalid_request` for settings that cannot be.
 */
export async function seedClient(installation: Installation, data: TenantData, tenantId: string, seed: SeedClient): Promise<void> {
  const { environment, collections, urls } = installation;
  const { clientId, secret } = seed;
  if (!/^[\x21-\x7e]{1,64}$/.test(clientId))
    throw new PosternError("configuration_error", `'${clientId}' cannot be a client id: 1 to 64 ASCII characters, no spaces`);
  if (clientId === globalClientId) throw new PosternError("configuration_error", `'${clientId}' is the id of the global client`);
  const weakness = secret === undefined ? undefined : weaknessOf(secret, 16);
  if (weakness !== undefined) throw new PosternError("configuration_error", `the secret of client '${clientId}' ${weakness}`);
  const settings = parseInput(CreateClient, seed.settings, "body");
  const now = environment.clock.now();
  const [known] = await data.clients.find({ where: { client_id: clientId }, limit: 1 });
  const toRecord = () =>
    fromCreateClient(settings, {
      newCredentialId: () => environment.ids.record("cred_"),
      now,
      issuer: urls.issuer,
      signingAlgorithm: environment.signingAlgorithm,
    });
  // Also for a client that is there: the host's code has the last word on who manages its tenant.
  if (known !== undefined) {
    if (seed.managesTenant === true) await grantEverything(installation, data, clientId);
    if (!known.may_administer && answersWithin(known, toRecord())) {
      // Of what was compared, and of nothing that was written since.
      const compared = { client_id: clientId, revision: known.revision };
      await data.clients.update(compared, { set: { may_administer: true, updated_at: now }, add: { revision: 1 } });
    }
    return;
  }

  await collections.directory.insert([{ kind: "client", value: clientId, tenant_id: tenantId, created_at: now }]);
  const [owner] = await collections.directory.find({ where: { kind: "client", value: clientId }, limit: 1 });
  if (owner?.tenant_id !== tenantId) throw new PosternError("configuration_error", `the client id '${clientId}' belongs to another tenant`);
  if (seed.managesTenant === true) await grantEverything(installation, data, clientId);
  await data.clients.insert([
    {
      ...toRecord(),
      client_id: clientId,
      secret_hash: secret === undefined ? null : await sha256(secret),
      may_administer: true,
      revision: 0,
      created_at: now,
      updated_at: now,
      deleting_at: null,
    },
  ]);
}

/** Lets a client do everything with the Management API, whatever its client grant says by now. A grant that does so already costs a look. */
async function grantEverything({ environment }: Installation, data: TenantData, clientId: string): Promise<void> {
  const now = environment.clock.now();
  const settings = { allow_all_scopes: true } satisfies JsonObject;
  const of = { client_id: clientId, audience: managementIdentifier, subject_type: "client" };
  const widen = async () => {
    const changed = await changeRow(data.client_grants, of, ({ settings: before }) =>
      before["allow_all_scopes"] === true ? undefined : { settings: { ...before, ...settings }, updated_at: now },
    );
    if (changed.outcome === "outrun") throw outrun("client grant");
    return changed.outcome;
  };
  if ((await widen()) !== "absent") return;
  const row = {
    id: environment.ids.record("cgr_"),
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
  // A process that starts beside this one may have come first; else the removal of the grant was begun and is not finished.
  if ((await data.client_grants.insert([row])) || (await widen()) !== "absent") return;
  const [left] = await data.client_grants.find({ where: { ...of, deleting_at: { exists: true } }, limit: 1 });
  if (left !== undefined) await removeClientGrant(data, left.id);
  await data.client_grants.insert([row]);
}
