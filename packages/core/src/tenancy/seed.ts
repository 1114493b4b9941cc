import type { TenantData } from "../data/tenant-data.ts";
import { ownKeys } from "../domain/keys/rotation.ts";
import { currentKey } from "../domain/keys/succession.ts";
import { createUser } from "../domain/users/create-user.ts";
import { newUserId } from "../domain/users/user-id.ts";
import { isPosternError, PosternError } from "../errors.ts";
import type { CreateClient } from "../model/clients/bodies.ts";
import { isDomainName } from "../model/tenant/domain-name.ts";
import { Email } from "../model/fields.ts";
import { isTenantId } from "../model/tenant/tenant-id.ts";
import { hasOwnHost } from "./hosts.ts";
import { findTenant, type Installation } from "./installation.ts";
import { makeSigningKey } from "./keys/make-signing-key.ts";
import { sharedPlaces, takePlace } from "./keys/shared-issuer.ts";
import { passwordConnection } from "./password-connection.ts";

/** What an installation must have before it can be managed through its API. */
export interface Seed {
  /** The tenant to set up: lower-case letters, digits, `-` and `_`, at most 63 characters. */
  readonly tenantId: string;
  /** What people see as its name. Default: the id. */
  readonly name?: string;
  /** Clients, by id. A `secret` makes a client confidential: at least 16 characters, and not easy to guess. */
  readonly clients?: readonly SeedClient[];
  /** Host names that are the tenant's own and that the host itself vouches for: verified without a check, each an issuer. */
  readonly domains?: readonly string[];
  /** A first user of the password connection. */
  readonly user?: SeedUser;
}

/** A user that a {@link Seed} asks for. */
export interface SeedUser {
  readonly email: string;
  /** What a new user begins with. A user who is there keeps theirs. */
  readonly password: string;
  /** Gives a new user the role of administrators: every permission of the Management API, also those that later versions add. A user who is there keeps the roles they have. */
  readonly managesTenant?: true;
}

/** A client that a {@link Seed} asks for. */
export interface SeedClient {
  readonly clientId: string;
  readonly secret?: string;
  /** Everything else about it, as `POST /api/v2/clients` takes it. */
  readonly settings: CreateClient;
  /** Gives it every scope of the Management API, also those that later versions add; again at each start, whatever was made of its client grant meanwhile. It needs a `secret`: a public client gets no token of its own. */
  readonly managesTenant?: true;
}

/**
 * Sets up a tenant and what it needs. Adds what is missing and changes nothing that is there, except that a client which manages the tenant is given its grant back, and that people may administer through a client again whose answers go no further than its settings here say. What the control plane shares is copied. It can run at every start, also in several processes at once.
 * @throws {PosternError} `configuration_error` that names what cannot be used: a tenant id, a client's settings or secret, a domain, an address or a password.
 */
export async function seedTenant(installation: Installation, seed: Seed): Promise<void> {
  const { tenantId } = seed;
  const { controlPlaneTenantId } = installation;
  checkTenantId(tenantId);
  const data = installation.scope(tenantId);

  const known = await findTenant(installation, tenantId);
  await seedSigningKey(installation, data, seed, known?.record.organization_id ?? null);
  // What an administrator removed later stays removed: these belong to the beginning.
  const first = known === undefined ? await import("./first-records.ts") : undefined;
  await first?.insertSystemRecords(installation, data, passwordConnection);
  if (seed.clients !== undefined) {
    const { seedClient } = await import("./seed-client.ts");
    for (const client of seed.clients) {
      await asInput(`client '${client.clientId}'`, () => seedClient(installation, data, tenantId, client));
    }
  }
  // The tenant itself comes last: it answers only when everything it needs is there.
  await first?.insertTenant(installation, seed, passwordConnection);
  if (controlPlaneTenantId !== undefined && tenantId !== controlPlaneTenantId) {
    const { copyToTenant } = await import("./sync/copy-to-tenant.ts");
    await copyToTenant(installation, tenantId);
  }
  for (const domain of seed.domains ?? []) await seedDomain(installation, data, tenantId, domain.toLowerCase());
  if (seed.user !== undefined) await seedUser(installation, data, seed.user);
}

/** @throws {PosternError} `configuration_error` for what cannot be a tenant id. */
export function checkTenantId(tenantId: string): void {
  if (!isTenantId(tenantId)) {
    throw new PosternError(
      "configuration_error",
      `'${tenantId}' cannot be a tenant id: 1 to 63 lower-case letters, digits, - and _, and no reserved word`,
    );
  }
}

/**
 * A key to sign with: the tenant's own, or the control plane's. Its own counts at the configured issuer where a place is left there, and at host names of its own.
 * @throws {PosternError} `configuration_error` where it would count nowhere.
 */
async function seedSigningKey(
  installation: Installation,
  data: TenantData,
  { tenantId, domains = [] }: Seed,
  organizationId: string | null,
): Promise<void> {
  const { environment, controlPlaneTenantId } = installation;
  if (controlPlaneTenantId !== undefined) {
    if (controlPlaneTenantId !== tenantId) return;
  } else if (!(await takePlace(installation, tenantId)) && domains.length === 0) {
    if (!(await hasOwnHost(installation, { id: tenantId, data, organizationId }))) {
      throw new PosternError(
        "configuration_error",
        `'${tenantId}' would be tenant ${sharedPlaces + 1} with keys of its own at the issuer '${installation.urls.issuer}': pass 'controlPlane', whose keys the others share, or give it a domain of its own`,
      );
    }
  }
  const now = environment.clock.now();
  const keys = await ownKeys(data, "jwt_signing");
  if (currentKey(keys, "jwt_signing", now) !== undefined) return;
  await makeSigningKey(installation, tenantId, environment.signingAlgorithm);
}

/** @throws {PosternError} `configuration_error` for what is no host name, and for one that another tenant has. */
async function seedDomain(
  { environment, collections, cache, subdomains }: Installation,
  data: TenantData,
  tenantId: string,
  domain: string,
): Promise<void> {
  if (!isDomainName(domain)) throw new PosternError("configuration_error", `'${domain}' is no host name`);
  if (subdomains?.covers(domain) === true) {
    throw new PosternError(
      "configuration_error",
      `the domain '${domain}' belongs to 'subdomainRouting': its subdomains name their tenants by themselves`,
    );
  }
  const now = environment.clock.now();
  await collections.directory.insert([{ kind: "host", value: domain, tenant_id: tenantId, created_at: now }]);
  const [owner] = await collections.directory.find({ where: { kind: "host", value: domain }, limit: 1 });
  if (owner?.tenant_id !== tenantId) throw new PosternError("configuration_error", `the domain '${domain}' belongs to another tenant`);
  cache.invalidate("", "directory");
  const ready = { status: "ready", updated_at: now, verified_at: now, expires_at: null };
  const inserted = await data.custom_domains.insert([
    {
      id: environment.ids.record("cd_"),
      domain,
      type: "self_managed_certs",
      is_default: false,
      verification: {},
      settings: {},
      revision: 0,
      created_at: now,
      ...ready,
    },
  ]);
  if (!inserted) await data.custom_domains.update({ domain, status: "pending_verification" }, { set: ready, add: { revision: 1 } });
}

async function seedUser(
  installation: Installation,
  data: TenantData,
  { email: address, password, managesTenant }: SeedUser,
): Promise<void> {
  const { environment } = installation;
  const { data: email } = Email.safeParse(address);
  if (email === undefined) throw new PosternError("configuration_error", `'${address}' cannot be the user's e-mail address`);
  const administrators = managesTenant === true ? await import("./seed-administrator.ts") : undefined;
  await administrators?.seedRole(installation, data);
  const [connection] = await data.connections.find({ where: { name: passwordConnection }, limit: 1 });
  if (connection === undefined) return;
  const [known] = await data.users.find({ where: { connection: passwordConnection, email_key: email }, limit: 1 });
  // Whoever may change users could have moved the address to somebody else: they would be the administrator of the next start.
  if (known !== undefined) return;
  const userId = environment.ids.record();
  // Before the user, so that a process that is lost in between leaves no administrator without the role.
  await administrators?.assignRole(installation, data, newUserId(connection.name, userId, environment.ids));
  const user = { connection: passwordConnection, user_id: userId, email, email_verified: true, password };
  try {
    await asInput(`the user '${email}'`, () => createUser(environment, data, connection, user));
  } catch (error) {
    // Another process that starts at this moment may have been first.
    if (!(isPosternError(error) && error.code === "conflict")) throw error;
    await administrators?.withdrawRole(data, newUserId(connection.name, userId, environment.ids));
  }
}

/** What a host gives is checked as what a caller of the API gives is. @throws {PosternError} `configuration_error` with what is wrong. */
async function asInput<T>(what: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(isPosternError(error) && error.code === "invalid_request")) throw error;
    const reason = error.message.replace(/^body: /, "");
    throw new PosternError("configuration_error", `${what} cannot be used: ${reason}`, { cause: error });
  }
}
