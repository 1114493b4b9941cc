import { findOne } from "../../store/find-one.ts";
import { readAll } from "../../store/read-all.ts";
import { findByIds } from "../../store/by-ids.ts";
import type { Collection } from "../../store/contract.ts";
import { schema, type Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import type { Caller } from "../callers/caller.ts";
import { findTenant, type Installation } from "../installation.ts";
import type { RequestTenant } from "../tenant.ts";
import { createTenant, type NewTenant } from "./create-tenant.ts";
import { beginOperation, operationStore, type OperationStore } from "./operations.ts";
import { updateTenant } from "./change-tenant.ts";
import { removeTenant } from "./remove-tenant.ts";
import { runOperation } from "./run-operation.ts";

/**
 * The tenants that a caller of the control plane can see (docs/tenants.md). A client of the control plane sees all of
 * them. A user sees the tenants whose organization they are a member of, and the control plane itself if they hold
 * `read:tenant_settings`.
 */
export class ManagedTenants {
  readonly #installation: Installation;
  readonly #controlPlane: RequestTenant;
  readonly #caller: Caller;

  /**
   * @throws {PosternError} `forbidden` if the tenant is not the control plane, or the caller's token is for an
   * organization.
   */
  constructor(installation: Installation, tenant: RequestTenant, caller: Caller) {
    if (tenant.id !== installation.controlPlaneTenantId || caller.tenantId !== tenant.id || caller.organizationId !== undefined) {
      throw new PosternError("forbidden", "managing tenants requires an access token from the control plane that is for no organization");
    }
    this.#installation = installation;
    this.#controlPlane = tenant;
    this.#caller = caller;
  }

  /** The rows of all tenants, for lists. */
  get collection(): Collection<Row<"tenants">> {
    return this.#installation.collections.tenants;
  }

  /** Returns the tenants that the caller can see if it is a user; undefined for a client, which can see all tenants. */
  async ofUser(): Promise<readonly Row<"tenants">[] | undefined> {
    const { subject, sessionId } = this.#caller;
    if (sessionId === undefined) return undefined;
    const memberships = await readAll(this.#controlPlane.data.organization_members, schema.organization_members.key, { user_id: subject });
    const ids = memberships.map(({ organization_id: id }) => id);
    const tenants = await findByIds(this.collection, "organization_id", ids);
    const own = this.#readsSettings ? [this.#controlPlane.record] : [];
    return [...own, ...tenants].filter((row) => row.deleting_at === null && row.ready_at !== null);
  }

  /** @throws {PosternError} `not_found`, also for a tenant that the caller cannot see. */
  async read(id: string): Promise<Row<"tenants">> {
    const entry = await findTenant(this.#installation, id);
    if (entry === undefined || !(await this.#sees(entry.record))) throw missing();
    return entry.record;
  }

  /** Creates a tenant. A user becomes the first member of its organization. @see createTenant */
  async create(given: Omit<NewTenant, "creatorId">): Promise<Row<"tenants">> {
    const { subject, sessionId } = this.#caller;
    return createTenant(this.#installation, { ...given, creatorId: sessionId === undefined ? undefined : subject });
  }

  /**
   * @see updateTenant
   * @param requireSettingsScope called if a user changes the control plane. Must throw if the user lacks the scope for
   * that change.
   */
  async change(
    id: string,
    change: (record: Row<"tenants">) => Partial<Row<"tenants">>,
    requireSettingsScope: () => void,
  ): Promise<Row<"tenants">> {
    await this.read(id);
    if (this.#caller.sessionId !== undefined && id === this.#controlPlane.id) requireSettingsScope();
    return updateTenant(this.#installation, id, change);
  }

  /** @see removeTenant */
  async remove(id: string): Promise<void> {
    await this.read(id);
    await removeTenant(this.#installation, id);
  }

  /** The store of operations. The routes that use it exist only if the adapter stores operations. */
  get operations(): OperationStore {
    const store = operationStore(this.#installation);
    if (store === undefined) throw new PosternError("not_found", "this service does not store operations");
    return store;
  }

  /**
   * Returns the time since which the caller may see the operations of a tenant. A client may see all of them, including
   * those of a deleted tenant with the same id. A user may see only those of the existing tenant.
   * @returns milliseconds since 1970.
   * @throws {PosternError} `not_found`, also for a tenant that the caller cannot see.
   */
  async seesOperationsSince(tenantId: string): Promise<number> {
    const entry = await findTenant(this.#installation, tenantId);
    const isPerson = this.#caller.sessionId !== undefined;
    if (entry === undefined ? isPerson : !(await this.#sees(entry.record))) throw missing();
    if (entry === undefined && (await this.operations.operations.count({ tenant_id: tenantId })) === 0) throw missing();
    return isPerson && entry !== undefined ? entry.record.created_at : 0;
  }

  /** Stores an operation that upgrades a tenant, and runs it after the response. */
  async upgrade(id: string): Promise<Row<"tenant_operations">> {
    const tenant = await this.read(id);
    const operation = await beginOperation(this.#installation, { kind: "upgrade", tenantId: tenant.id, status: "pending" });
    const { operations } = this.operations;
    const row = await findOne(operations, { id: operation.id ?? "" });
    if (row === undefined) throw new Error("the operation was not stored");
    this.#begin(row.id);
    return row;
  }

  get #readsSettings(): boolean {
    return this.#caller.scopes.has("read:tenant_settings");
  }

  #begin(operationId: string): void {
    const installation = this.#installation;
    const { afterResponse } = this.#controlPlane.requestInfo;
    installation.executor.submit(operationId, afterResponse, async () => {
      await runOperation(installation.jobs, operationId);
    });
  }

  async #sees({ id, organization_id: organizationId }: Row<"tenants">): Promise<boolean> {
    const { subject, sessionId } = this.#caller;
    if (sessionId === undefined) return true;
    if (id === this.#controlPlane.id) return this.#readsSettings;
    if (organizationId === null) return false;
    return (await this.#controlPlane.data.organization_members.count({ organization_id: organizationId, user_id: subject })) > 0;
  }
}

const missing = (): PosternError => new PosternError("not_found", "there is no such tenant");
