/** Whom a tenant inherits from. */
export interface InheritsFrom {
  readonly tenantId: string;
  /** The client of that tenant whose settings its clients fall back to. Default: they fall back to none. */
  readonly clientId?: string;
}

/** Says whom a tenant inherits from; undefined where it inherits nothing. */
export type ControlPlaneResolver = (tenant: { readonly tenant_id: string }) => InheritsFrom | undefined | Promise<InheritsFrom | undefined>;
