/** A tenant, as hooks receive it (spec section 2.7). */
export interface HookTenant {
  /** The tenant id. */
  readonly id: string;
  readonly name: string;
  readonly friendly_name: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** The status of a step of an operation. */
export type StepStatus = "running" | "succeeded" | "failed";

/** Stores a step of an operation. Resolves when the step is stored. */
export type ReportStep = (step: {
  readonly name: string;
  readonly status: StepStatus;
  readonly detail?: { readonly [name: string]: string | number | boolean };
}) => Promise<void>;

/**
 * Hooks of the host application for changes of tenants (spec section 6). They run in the process that makes the change.
 *
 * A hook before a change (`…ing`) can reject it by throwing, or by taking more than 10 seconds. Nothing is changed
 * then. The caller receives 400, with the message of the error if it has `expose: true`; 503 after a timeout.
 *
 * A hook after a change (`…ed`) cannot reject it. Its errors are logged, and `sweep` calls it again, up to five times,
 * so it must tolerate repeated calls.
 */
export interface TenantHooks {
  /** Called before a tenant is created. */
  onTenantCreating?(tenant: HookTenant): void | Promise<void>;
  /** Called after a tenant was created. */
  onTenantCreated?(tenant: HookTenant): void | Promise<void>;
  /** Called before a tenant is updated. */
  onTenantUpdating?(before: HookTenant, after: HookTenant): void | Promise<void>;
  /** Called after a tenant was updated. */
  onTenantUpdated?(before: HookTenant, after: HookTenant): void | Promise<void>;
  /** Called before a tenant is deleted. */
  onTenantDeleting?(tenant: HookTenant): void | Promise<void>;
  /** Called after a tenant was deleted. */
  onTenantDeleted?(tenant: HookTenant): void | Promise<void>;
}
