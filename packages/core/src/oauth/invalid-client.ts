import { PosternError } from "../errors.ts";

/** Creates the error for a client that did not prove its identity (RFC 6749 section 5.2). */
export function invalidClient(description: string, headers: { readonly [name: string]: string } = {}): PosternError {
  return new PosternError("invalid_client", description, { headers });
}
