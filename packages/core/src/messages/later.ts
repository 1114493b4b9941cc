import { beginAfterAnswer } from "../context.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** Finds out whether a mail is to be sent, and sends it, once the answer is on its way: nobody sees in its time that there is somebody to tell. What fails is logged. */
export function mailLater(tenant: Tenant, template: string, work: () => Promise<void>): void {
  const { id } = tenant;
  beginAfterAnswer(tenant.requestInfo, async () => {
    try {
      await work();
    } catch (error) {
      tenant.host.logger.log({ level: "warn", event: "mail_failed", template, tenant_id: id, error });
    }
  });
}
