import { sameJson } from "../../store/same-json.ts";
import type { Row } from "../../store/schema.ts";
import type { Json } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import type { RequestInfo } from "../../context.ts";
import type { Installation } from "../installation.ts";
import type { SharedKinds } from "./shared-records.ts";

/** A row that may be a copy, or a system resource. */
type Protected = Pick<Row<"resource_servers" | "roles">, "origin" | "is_system">;

/** The resources that the control plane shares with child tenants, from the perspective of one tenant. */
export class ControlPlaneSync {
  readonly #installation: Installation;
  readonly #tenant: { readonly id: string; readonly requestInfo: RequestInfo };

  constructor(installation: Installation, tenant: { readonly id: string; readonly requestInfo: RequestInfo }) {
    this.#installation = installation;
    this.#tenant = tenant;
  }

  /**
   * Schedules an update of the copies in child tenants, if this tenant is the control plane. Call it after a change of
   * shared resources. Resolves when the update is scheduled.
   */
  async changed(): Promise<void> {
    if (this.#tenant.id !== this.#installation.controlPlaneTenantId) return;
    const { scheduleSync } = await import("./schedule-sync.ts");
    await scheduleSync(this.#installation, this.#tenant.requestInfo);
  }

  /**
   * Rejects a change of a copy or of a system resource. A body that changes nothing is accepted and not written,
   * because tools send back what they read.
   * @param shown the resource as responses contain it, before and after the change.
   * @returns whether the change must be written.
   * @throws {PosternError} `forbidden`
   */
  checkChange(row: Protected, ...shown: readonly [before: Json, after: Json]): boolean {
    const rejection = rejectionOf(row);
    if (rejection !== undefined && !sameJson(...shown)) throw rejection;
    return rejection === undefined;
  }

  /**
   * Rejects the deletion of a copy or of a system resource. @throws {PosternError} `forbidden` for a system resource
   * and for a copy. A copy of a kind that is no longer shared can be deleted, because it would not be created again.
   */
  checkRemoval(row: Protected, kind: keyof SharedKinds): void {
    const rejection = rejectionOf(row);
    if (rejection !== undefined && (row.is_system || (this.#isChild && this.#installation.sync[kind]))) throw rejection;
  }

  get #isChild(): boolean {
    const { controlPlaneTenantId: id } = this.#installation;
    return id !== undefined && id !== this.#tenant.id;
  }
}

/** Returns the error for a row that cannot be changed; undefined if it can be changed. */
function rejectionOf({ origin, is_system: isSystem }: Protected): PosternError | undefined {
  if (isSystem) return new PosternError("forbidden", "this is a system resource and cannot be changed");
  if (origin === null) return undefined;
  return new PosternError("forbidden", "this is a copy of a resource of the control plane: change the original there for all tenants");
}
