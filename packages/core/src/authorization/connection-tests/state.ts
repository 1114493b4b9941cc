import type { RequestTenant } from "../../tenants/tenant.ts";
import type { ConnectionTest } from "./sealed-test.ts";

/** The path of the page that sends the browser to the identity provider of a test sign-in. */
export const testPath = "/login/connection-test";

/** The part of a `state` that distinguishes a test from a login session, whose id contains no dot. */
const mark = "connection-test";

/** Returns the `state` parameter of a test sign-in. */
export function stateOfTest({ id: tenantId }: RequestTenant, { id }: Pick<ConnectionTest, "id">): string {
  return `${tenantId}.${mark}.${id}`;
}

/** Whether a `state` that a provider returned belongs to a test sign-in, and not to a login. */
export function isTestState({ id: tenantId }: RequestTenant, state: string): boolean {
  return state.startsWith(`${tenantId}.${mark}.`);
}
