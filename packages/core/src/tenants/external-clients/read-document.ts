import { sha256 } from "../../adapters/digest.ts";
import type { ServiceContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import type { Fetched } from "../../process-state/client-documents.ts";
import { externalSettings } from "../../model/clients/external.ts";
import { readRegistration, type ClientDocument } from "../../model/clients/registration.ts";
import { fetchPublicDocument } from "./fetch-public.ts";
import { isObject } from "../../store/value.ts";

/** The maximum size of a metadata document, in bytes. */
const maximumBytes = 5 * 1024;

/**
 * Fetches and reads a client's metadata document.
 * @throws {DocumentUnavailableError} if it cannot be fetched.
 * @throws {PosternError} `invalid_client_metadata` or `invalid_redirect_uri` if it does not describe a client that may
 * be used.
 */
export async function readDocument(service: ServiceContext, url: string): Promise<Fetched<ClientDocument>> {
  const { text, maxAge } = await fetchPublicDocument(service, url, maximumBytes);
  const metadata = parseObject(text);
  if (metadata["client_id"] !== url) throw invalidDocument("'client_id' must be the URL of the document");
  if (metadata["client_secret"] !== undefined) throw invalidDocument("'client_secret' must not be published");
  const { hostname, origin } = new URL(url);
  const columns = readRegistration(metadata, {
    defaultName: hostname,
    defaultMethod: "none",
    signingAlgorithm: service.config.signingAlgorithm,
    // All tenants share the cached document, so the keys of one tenant do not count.
    allowedAlgorithms: ["RS256"],
  });
  if (columns.token_endpoint_auth_method.startsWith("client_secret"))
    throw invalidDocument("'token_endpoint_auth_method' must be none or private_key_jwt, because a published secret proves nothing");
  const { jwks_uri: keys } = externalSettings(columns.settings);
  if (keys !== undefined && new URL(keys).origin !== origin) throw invalidDocument("'jwks_uri' must have the origin of the document");
  const hash = await sha256(JSON.stringify(columns));
  return { document: { columns, hash }, bytes: text.length, maxAge };
}

function parseObject(text: string): { readonly [name: string]: unknown } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new PosternError("invalid_client_metadata", "the metadata document is not JSON", { cause });
  }
  if (!isObject(parsed)) throw invalidDocument("the metadata document must be a JSON object");
  return parsed;
}

function invalidDocument(problem: string): PosternError {
  return new PosternError("invalid_client_metadata", problem);
}
