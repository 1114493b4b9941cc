import { PosternError } from "../errors.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Requires that a form was sent by a page of this tenant: the `Origin` header identifies the page that sent it. The form
 * must also contain a secret that other pages do not know, because some requests have no such header.
 * @throws {PosternError} `forbidden`.
 */
export function checkOwnForm(tenant: RequestTenant, request: Request): void {
  const origin = request.headers.get("origin");
  if (origin === null || origin === tenant.urls.origin) return;
  throw new PosternError("forbidden", "This form was not submitted from its own page. Go back and try again.");
}
