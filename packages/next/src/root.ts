import { toService } from "@postern/app/service";
import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { NextHandler } from "./next.ts";
import type { OpenService } from "./service.ts";

/**
 * Serves the URLs that clients request at the root of the issuer's host even if the issuer has a path. Use the handlers
 * in `app/v2/logout/route.ts`, `app/.well-known/oauth-authorization-server/[...path]/route.ts`,
 * `app/.well-known/webauthn/route.ts`, and, if the options set its target, `app/.well-known/change-password/route.ts`.
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
