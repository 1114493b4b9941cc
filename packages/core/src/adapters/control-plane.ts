/** Names the tenant that another tenant inherits settings from. */
export interface ControlPlaneReference {
  /** The id of the tenant to inherit from. It must exist, and must not be the inheriting tenant itself. */
  readonly tenantId: string;
  /**
   * The client in that tenant whose settings are the fallback for the inheriting tenant's clients. Default: no
   * fallback.
   */
  readonly clientId?: string;
}

/**
 * Returns the tenant that the given tenant inherits from, or undefined if the given tenant inherits nothing. Requests
 * to the inheriting tenant fail with 503 if the promise rejects, if there is no result within one second, or if the
 * returned tenant does not exist.
 */
export type ControlPlaneResolver = (tenant: {
  readonly tenant_id: string;
}) => ControlPlaneReference | undefined | Promise<ControlPlaneReference | undefined>;
