/** The tenant that another tenant inherits settings from. */
export interface ControlPlaneReference {
  /** The id of the tenant. It must exist, and must not be the inheriting tenant itself. */
  readonly tenantId: string;
  /**
   * The client of that tenant that provides fallback settings for the inheriting tenant's clients. Default: no
   * fallback.
   */
  readonly clientId?: string;
}

/**
 * Returns the tenant that the given tenant inherits from, or undefined if it inherits nothing. A rejection, no result
 * within one second, or a tenant that does not exist makes requests of the inheriting tenant fail with 503.
 */
export type ControlPlaneResolver = (tenant: {
  readonly tenant_id: string;
}) => ControlPlaneReference | undefined | Promise<ControlPlaneReference | undefined>;
