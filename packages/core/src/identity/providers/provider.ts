import type { ServiceContext } from "../../context.ts";
import { importPKCS8, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { systemClock } from "../../adapters/clock.ts";
import { estimateBytes } from "../../store/estimate-bytes.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { upstreamStrategy } from "../../model/connections/upstream.ts";
import {
  textIn,
  type ClientSecretJwt,
  type ProviderAuthentication,
  type ProviderDescription,
  type RequireValue,
} from "../../model/connections/strategies/provider.ts";
import type { ProviderCallback } from "../../model/connections/strategies/strategy.ts";
import { providerClockTolerance } from "./attempt.ts";
import { toConformMetadata } from "./lenient-responses.ts";
import type { Asking, Steps } from "./steps.ts";
import { shareWork } from "../../telemetry/shared-work.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The client that sends requests to a provider: Postern, with the settings of a connection. */
export interface UpstreamClient {
  readonly context: ServiceContext;
  /** The connection, including options that it inherits. */
  readonly connection: Row<"connections">;
  /** The connection's secrets, by their paths. */
  readonly secrets: JsonObject;
  /**
   * Returns the key that signs client assertions (`private_key_jwt`): a signing key of the tenant, whose JWKS the
   * provider reads.
   */
  signingKey(): Promise<{ readonly key: CryptoKey; readonly kid: string }>;
}

/**
 * The accepted algorithms for ID tokens if the provider's metadata lists none: all algorithms that the library verifies
 * with a public key.
 */
const asymmetricAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** A provider with its metadata, and Postern's credentials as a client of the provider. */
export interface UpstreamProvider {
  readonly description: ProviderDescription;
  readonly callback: ProviderCallback;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

/** Finds the provider of a connection. @throws {UpstreamError} */
export async function findProvider(upstream: UpstreamClient, steps: Steps): Promise<UpstreamProvider> {
  const { connection, context } = upstream;
  const { options } = connection;
  const strategy = upstreamStrategy(connection);
  const description = strategy?.describe(options);
  const clientId = textIn(options, "client_id");
  if (strategy === undefined || description?.place === undefined)
    throw new UpstreamError("misconfigured", "the options of the connection do not contain the URLs of its provider");
  if (clientId === undefined) throw new UpstreamError("misconfigured", "the connection has no 'client_id'");
  const found = await serverAt(description.place, context, steps);
  const { idTokenAlgorithms: algorithms } = description;
  const server = algorithms === undefined ? found : { ...found, id_token_signing_alg_values_supported: [...algorithms] };
  const skew = Math.round((context.now() - systemClock.now()) / 1000);
  // The library uses the system clock, so the client gets its difference from the host's clock.
  const client: oauth.Client = { client_id: clientId, [oauth.clockSkew]: skew, [oauth.clockTolerance]: providerClockTolerance };
  const authentication = await authenticationAt(server, upstream, description.authentication);
  return { description, callback: strategy.callback, server, client, authentication };
}

async function serverAt(
  place: NonNullable<ProviderDescription["place"]>,
  context: ServiceContext,
  steps: Steps,
): Promise<oauth.AuthorizationServer> {
  if (!("discover" in place)) {
    const { issuer, authorizationEndpoint, tokenEndpoint, jwksUri, userinfoEndpoint } = place;
    return {
      issuer,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      id_token_signing_alg_values_supported: [...asymmetricAlgorithms],
      ...(jwksUri !== undefined && { jwks_uri: jwksUri }),
      ...(userinfoEndpoint !== undefined && { userinfo_endpoint: userinfoEndpoint }),
    };
  }
  const { discover: issuer } = place;
  return steps.run("discovery", (asking) => discoverOnce(issuer, context, asking), issuer);
}

/** Returns the cached metadata of an issuer, or requests it. Parallel sign-ins share one request. */
async function discoverOnce(issuer: string, context: ServiceContext, asking: Asking): Promise<oauth.AuthorizationServer> {
  const { servers: known } = context.processState.providerDocuments;
  const cached = known.get(issuer);
  if (cached !== undefined) return cached.join();
  const loading = shareWork(context.host.telemetry, "load provider_metadata", () => discover(issuer, asking));
  known.set(issuer, loading);
  try {
    const server = await loading.result;
    if (known.peek(issuer) === loading) known.resize(issuer, estimateBytes(server));
    return server;
  } catch (error) {
    // A failed request is not cached, so the next login sends it again.
    if (known.peek(issuer) === loading) known.delete(issuer);
    throw error;
  }
}

async function discover(issuer: string, asking: Asking): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await toConformMetadata(await oauth.discoveryRequest(url, asking)));
}

async function authenticationAt(
  { token_endpoint_auth_methods_supported: supported }: oauth.AuthorizationServer,
  { connection: { options }, secrets, context, signingKey }: UpstreamClient,
  configured: ProviderAuthentication | undefined,
): Promise<oauth.ClientAuth> {
  const require: RequireValue = (from, name) => {
    const value = from === "options" ? textIn(options, name) : textIn(secrets, `/${name}`);
    if (value !== undefined) return value;
    throw new UpstreamError("misconfigured", `the connection has no '${name}'`);
  };
  const defaultMethod = supported === undefined || supported.includes("client_secret_post") ? "client_secret_post" : "client_secret_basic";
  if (typeof configured === "function") return authenticateByJwt(configured(require), context);
  switch (configured ?? (textIn(secrets, "/client_secret") === undefined ? "none" : defaultMethod)) {
    case "none":
      return oauth.None();
    case "private_key_jwt":
      return oauth.PrivateKeyJwt(await signingKey());
    case "client_secret_basic":
      return oauth.ClientSecretBasic(require("secrets", "client_secret"));
    case "client_secret_post":
      return oauth.ClientSecretPost(require("secrets", "client_secret"));
  }
}

/** Authenticates with a JWT as the client secret. The JWT expires after five minutes. */
function authenticateByJwt(
  { algorithm, issuer, audience, keyId, privateKey }: ClientSecretJwt,
  context: Pick<ServiceContext, "now">,
): oauth.ClientAuth {
  return async (_server, { client_id: clientId }, body) => {
    const now = Math.floor(context.now() / 1000);
    const jwt = new SignJWT({ iss: issuer, sub: clientId, aud: audience, iat: now, exp: now + 300 });
    const key = await importPKCS8(privateKey, algorithm);
    body.set("client_id", clientId);
    body.set("client_secret", await jwt.setProtectedHeader({ alg: algorithm, kid: keyId }).sign(key));
  };
}
