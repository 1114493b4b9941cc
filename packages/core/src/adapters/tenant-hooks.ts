/** A tenant in the form that hooks receive. */
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

/** The status of a step in an operation. */
export type StepStatus = "running" | "succeeded" | "failed";

/** Stores a step in the history of the current operation. Resolves when the step is stored. */
export type ReportStep = (step: {
  readonly name: string;
  readonly status: StepStatus;
  readonly detail?: { readonly [name: string]: string | number | boolean };
}) => Promise<void>;

/**
 * Hooks that the host application defines for changes to tenants. They run in the process that makes
 * the change.
 *
 * A hook that runs before a change (`…ing`) rejects the change if it throws, or if it takes more than 10 seconds. Then
 * nothing is changed. If the hook throws, the caller receives 400, with the error's message if the error has
 * `expose: true`. After a timeout, the caller receives 503.
 *
 * A hook that runs after a change (`…ed`) cannot reject the change. Its errors are logged, and `sweep` calls the hook
 * again, up to five times, so the hook must tolerate repeated calls.
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
