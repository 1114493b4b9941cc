import type { PosternError } from "../../errors.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";
import { pageResponse } from "../page.ts";
import { explainedAt } from "../../http/explained.ts";
import { wayOn } from "../way-on.ts";
import { drawError } from "./error.tsx";

/** Where somebody came from who cannot go on. */
interface Origin {
  readonly client?: Client | undefined;
  readonly uiLocales?: string | undefined;
  readonly cookies?: readonly string[];
}

/** An error as a person sees it: what to do in their words, and what support needs. */
export function errorPage(tenant: Tenant, { code, reason, message, status }: PosternError, origin: Origin = {}): Promise<Response> {
  const { requestId } = tenant.requestInfo;
  return pageResponse(tenant, {
    name: "error",
    draw: (drawing) =>
      drawError(drawing, {
        code,
        reason,
        description: message,
        ...(tenant.environment.development && { explained: explainedAt("/authorize") }),
        requestId,
        wayOn: wayOn(tenant, origin.client),
      }),
    status,
    ...origin,
  });
}
