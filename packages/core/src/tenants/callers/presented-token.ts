import { PosternError } from "../../errors.ts";
import type { RequestTenant } from "../tenant.ts";
import { maxTokenLength } from "../../tokens/verify.ts";
import { readBearerToken } from "./bearer-token.ts";

/** An access token, and how a request presents it. */
export interface PresentedToken {
  readonly text: string;
  /** Whether the `Authorization` header has the scheme `DPoP` (RFC 9449 section 7.1). */
  readonly isDpop: boolean;
  /** The header `DPoP`. */
  readonly proof: string | null;
  readonly method: string;
  /** The path of the request below the issuer. It starts with a slash. */
  readonly path: string;
  /** Receives the nonce for the client's next proof. */
  readonly offerNonce: (nonce: string) => void;
  /** Receives the tenant and the client of a genuine token, before its proof is checked. */
  readonly recognize: (tenant: RequestTenant, clientId: string) => void;
}

/** The part of a request that is not in its headers. */
interface RequestPlace extends Pick<PresentedToken, "path" | "offerNonce" | "recognize"> {
  /** A parsed form that may contain the token. */
  readonly form?: unknown;
}

/**
 * Reads the access token of a request: with the scheme `DPoP`, otherwise as {@link readBearerToken}.
 * @throws {PosternError} `invalid_token` if it is missing or too long, `invalid_request` if the request contains two.
 */
export function readPresentedToken(request: Request, { form, path, offerNonce, recognize }: RequestPlace): PresentedToken {
  const { headers, method } = request;
  const [, text] = /^dpop +([^\s,]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const proof = headers.get("dpop");
  if (text === undefined) return { text: readBearerToken(request, form), isDpop: false, proof, method, path, offerNonce, recognize };
  if (typeof form === "object" && form !== null && "access_token" in form)
    throw new PosternError("invalid_request", "the request contains two access tokens");
  if (text.length > maxTokenLength) throw new PosternError("invalid_token", `the access token is longer than ${maxTokenLength} characters`);
  return { text, isDpop: true, proof, method, path, offerNonce, recognize };
}
