import { toService } from "@postern/app/service";
import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { NextHandler } from "./next.ts";
import type { OpenService } from "./service.ts";

/**
 * Serves the URLs that clients request at the root of the issuer's host even if the issuer has a path. Use the handlers
 * in `app/v2/logout/route.ts`, `app/.well-known/oauth-authorization-server/[...path]/route.ts`,
 * `app/.well-known/openid-configuration/[...path]/route.ts`, `app/.well-known/webauthn/route.ts`, and, if the options set
 * its target, `app/.well-known/change-password/route.ts`.
 *
 * @example
 * export const { GET, OPTIONS } = toNextRootHandlers(openPostern);
 */
export function toNextRootHandlers(
  postern: PosternHandler | Promise<PosternHandler> | OpenService,
  options?: RootOptions,
): { readonly GET: NextHandler; readonly OPTIONS: NextHandler } {
  const service = toService(postern);
  const handle: NextHandler = async ({ url, method, headers }) => {
    const opened = await service();
    return (await handleRootRequest(opened, new Request(url, { method, headers }), options)) ?? new Response(null, { status: 404 });
  };
  return { GET: handle, OPTIONS: handle };
}
