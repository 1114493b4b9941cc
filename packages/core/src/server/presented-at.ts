import type { Installation } from "../tenants/installation.ts";
import type { PresentedToken } from "../tenants/callers/presented-token.ts";
import { pathBelowBase } from "./path-below-base.ts";
import type { RequestProgress } from "./progress.ts";

/** Returns where a request presents a token or a proof. A nonce for the next proof goes into the response. */
export function presentedAt({ urls }: Installation, progress: RequestProgress): Pick<PresentedToken, "path" | "offerNonce" | "recognize"> {
  const { request, url } = progress;
  return {
    path: pathBelowBase({ method: request.method, pathname: url.pathname }, urls.basePath),
    offerNonce: (nonce) => (progress.dpopNonce = nonce),
    // Scripts of the client must be able to read that a proof needs a nonce.
    recognize: (tenant, clientId) => Object.assign(progress, { tenant, presentedId: clientId }),
  };
}
