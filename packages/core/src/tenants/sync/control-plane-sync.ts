import { sameJson } from "../../store/same-json.ts";
import type { Row } from "../../store/schema.ts";
import type { Json } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import type { RequestInfo } from "../../context.ts";
import type { Installation } from "../installation.ts";
import type { SharedKinds } from "./shared-records.ts";
import { controlPlaneChanged } from "./changed.ts";

/** A record that may be a copy, or the host's own. */
type Protected = Pick<Row<"resource_servers" | "roles">, "origin" | "is_system">;

/** What the control plane shares with the other tenants, from where one tenant stands: it is the control plane, or one that has copies, or neither. */
export class ControlPlaneSync {
  readonly #installation: Installation;
  readonly #tenant: { readonly id: string; readonly requestInfo: RequestInfo };

  constructor(installation: Installation, tenant: { readonly id: string; readonly requestInfo: RequestInfo }) {
    this.#installation = installation;
    this.#tenant = tenant;
  }

  /** What is shared has changed, if this is the control plane: the copies follow. Resolves when that is on record. */
  async changed(): Promise<void> {
    if (this.#tenant.id !== this.#installation.controlPlaneTenantId) return;
    await controlPlaneChanged(this.#installation, this.#tenant.requestInfo);
  }

  /**
   * Refuses a change of a copy, and of what is the host's own. One that says nothing new goes through, and nothing is written: tools write back what they read.
   * @param shown the record as replies show it, and as they would.
   * @returns whether there is something to write.
   * @throws {PosternError} `forbidden`
   */
  checkChange(row: Protected, ...shown: readonly [before: Json, after: Json]): boolean {
    const refusal = refusalOf(row);
    if (refusal !== undefined && !sameJson(...shown)) throw refusal;
    return refusal === undefined;
  }

  /** @throws {PosternError} `forbidden` for what is the host's own, and for a copy, unless its kind is shared no more: then nothing would bring it back. */
  checkRemoval(row: Protected, kind: keyof SharedKinds): void {
    const refusal = refusalOf(row);
    if (refusal !== undefined && (row.is_system || (this.#isChild && this.#installation.sync[kind]))) throw refusal;
  }

  get #isChild(): boolean {
    const { controlPlaneTenantId: id } = this.#installation;
    return id !== undefined && id !== this.#tenant.id;
  }
}

/** Why a record cannot be changed; undefined for one that can. */
function refusalOf({ origin, is_system: isHosts }: Protected): PosternError | undefined {
  if (isHosts) return new PosternError("forbidden", "this belongs to the installation, and cannot be changed");
  if (origin === null) return undefined;
  return new PosternError("forbidden", "this belongs to the control plane, and is changed there for every tenant");
}
