/** A tenant, as hooks are told of it (spec section 2.7). */
export interface HookTenant {
  readonly id: string;
  readonly name: string;
  readonly friendly_name: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
}

/** How far a step of an operation came. */
export type StepStatus = "running" | "succeeded" | "failed";

/** Puts a step of an operation on record. Resolves when it is stored. */
export type ReportStep = (step: {
  readonly name: string;
  readonly status: StepStatus;
  readonly detail?: { readonly [name: string]: string | number | boolean };
}) => Promise<void>;

/**
 * What the host does when tenants change (spec section 6), in the process that changes them.
 *
 * Those that come before (`…ing`) may stop the change by throwing, or by taking more than 10 seconds: nothing has changed then, and the caller is answered 400 with the words of an
 * error that is `expose: true`, else with none of its own; 503 where the time was up. Those that come after (`…ed`) cannot: what they throw goes to the logger, and they are called again, up to five times,
 * by `sweep`. So they must bear being called twice.
 */
export interface TenantHooks {
  onTenantCreating?(tenant: HookTenant): void | Promise<void>;
  onTenantCreated?(tenant: HookTenant): void | Promise<void>;
  onTenantUpdating?(before: HookTenant, after: HookTenant): void | Promise<void>;
  onTenantUpdated?(before: HookTenant, after: HookTenant): void | Promise<void>;
  onTenantDeleting?(tenant: HookTenant): void | Promise<void>;
  onTenantDeleted?(tenant: HookTenant): void | Promise<void>;
}
