import { startAfterResponse } from "../context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Runs `work` after the response. It decides whether to send a mail, and sends it. The response time therefore does not
 * reveal whether there is a recipient. Errors are logged.
 */
export function mailLater(tenant: RequestTenant, template: string, work: () => Promise<void>): void {
  const { id } = tenant;
  startAfterResponse(tenant.requestInfo, async () => {
    try {
      await work();
    } catch (error) {
      tenant.host.logger.log({ level: "warn", event: "mail_failed", template, tenant_id: id, error });
    }
  });
}
