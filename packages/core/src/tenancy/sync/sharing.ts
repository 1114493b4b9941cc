import type { Row } from "../../data/schema.ts";
import { PosternError } from "../../errors.ts";
import type { RequestInfo } from "../../domain/request-info.ts";
import type { Installation } from "../installation.ts";
import { controlPlaneChanged } from "./changed.ts";
import type { SharedKinds } from "./shared-records.ts";

/** What the control plane shares with the other tenants, from where one tenant stands: it is the control plane, or one that has copies, or neither. */
export class Sharing {
  readonly #installation: Installation;
  readonly #tenant: { readonly id: string; readonly requestInfo: RequestInfo };

  constructor(installation: Installation, tenant: { readonly id: string; readonly requestInfo: RequestInfo }) {
    this.#installation = installation;
    this.#tenant = tenant;
  }

  /** What is shared has changed, if this is the control plane: the copies follow. Resolves when that is on record. */
  async changed(): Promise<void> {
    if (this.#tenant.id === this.#installation.controlPlaneTenantId)
      await controlPlaneChanged(this.#installation, this.#tenant.requestInfo);
  }

  /** @throws {PosternError} `forbidden` for a copy, and for what is the host's own. */
  checkChange({ origin, is_system: isHosts }: Pick<Row<"resource_servers" | "roles">, "origin" | "is_system">): void {
    if (isHosts) throw new PosternError("forbidden", "this belongs to the installation, and cannot be changed");
    if (origin !== null) throw new PosternError("forbidden", "this belongs to the control plane, and is changed there for every tenant");
  }

  /** @throws {PosternError} `forbidden` for a copy, unless its kind is shared no more: then nothing would bring it back. */
  checkRemoval(row: Pick<Row<"resource_servers" | "roles">, "origin" | "is_system">, kind: keyof SharedKinds): void {
    if (row.is_system) this.checkChange(row);
    if (this.#isChild && this.#installation.sync[kind]) this.checkChange(row);
  }

  get #isChild(): boolean {
    const { controlPlaneTenantId: id } = this.#installation;
    return id !== undefined && id !== this.#tenant.id;
  }
}
