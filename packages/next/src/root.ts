import { toService } from "@postern/app/service";
import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { NextHandler } from "./next.ts";
import type { OpenService } from "./service.ts";

/**
 * Route handlers for the few addresses at the root of the issuer's host that clients ask for where the issuer has a path: `app/v2/logout/route.ts`, `app/.well-known/oauth-authorization-server/[...path]/route.ts`, and
 * `app/.well-known/change-password/route.ts` where the options say where that leads.
 *
 * @example
 * export const { GET } = toNextRootHandlers(openPostern);
 */
export function toNextRootHandlers(
  postern: PosternHandler | Promise<PosternHandler> | OpenService,
  options?: RootOptions,
): { readonly GET: NextHandler } {
  const service = toService(postern);
  return {
    GET: async (request) => {
      const { url, headers } = request;
      const opened = await service();
      return (await handleRootRequest(opened, new Request(url, { headers }), options)) ?? new Response(null, { status: 404 });
    },
  };
}
