import type { ErrorCode } from "../errors.ts";
import type { RequestInfo } from "../context.ts";
import type { Route } from "../http/route.ts";
import type { Caller } from "../tenants/callers/caller.ts";
import type { ManagementWrite } from "../tenants/callers/management-events.ts";
import type { BearerUser } from "../tenants/callers/bearer-user.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Api } from "./api.ts";

/** The information about a request. Each processing step adds to it, so that a rejection at any step can be audited. */
export interface RequestProgress {
  readonly requestInfo: RequestInfo;
  readonly request: Request;
  /** The parsed URL of the request. */
  readonly url: URL;
  /** The API of the request's path. Until the path is known, the API that has every other path. */
  api: Api;
  /** Whether users open the path in a browser, so that errors are pages. */
  isPage: boolean;
  route?: Route;
  body?: unknown;
  tenant?: RequestTenant;
  caller?: Caller;
  /**
   * The id of the client that the request names: in credentials that are not verified yet, or in a parameter of a
   * public route.
   */
  presentedId?: string;
  client?: RegisteredClient;
  user?: BearerUser;
  /** The nonce for the next DPoP proof of the client. Responses with every status contain it. */
  dpopNonce?: string;
  /** The code of the error that rejected the request. */
  errorCode?: ErrorCode;
}

/**
 * Returns the Management API write that a request performs; undefined if the request only reads, or if its tenant or
 * its caller is not known.
 */
export function writeOf({ tenant, caller, request, body }: RequestProgress): ManagementWrite | undefined {
  const isWrite = !["GET", "HEAD", "OPTIONS"].includes(request.method);
  return isWrite && tenant !== undefined && caller !== undefined ? { tenant, caller, request, body } : undefined;
}
