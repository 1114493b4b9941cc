import { proofAlgorithms } from "../keys/proof-algorithms.ts";
import { namesOfAlgorithm } from "../keys/algorithms.ts";
import type { RegisteredClient } from "./client.ts";
import { assertionAlgorithms } from "./credentials.ts";
import { isPublic } from "./refresh-token-settings.ts";

/** The algorithms of the FAPI 2.0 security profile (section 5.4.1), with both names of Ed25519 and the larger curve. */
const fapiAlgorithms = ["PS256", "ES256", "ES384", "EdDSA", "Ed25519"];

/** The grants of the profile. Others sign users in without a pushed request, or with their password. */
const fapiGrantTypes = ["authorization_code", "refresh_token", "client_credentials"];

/** The requirements on the requests of a client, because of its settings. */
export interface ClientDemands {
  /** Authorization requests must be pushed (RFC 9126). */
  readonly pushedRequest: boolean;
  /** Authorization requests must be in signed request objects (RFC 9101). */
  readonly signedRequest: boolean;
  /** Authorization requests must be for a code alone, with PKCE and an https redirect URI that is sent. */
  readonly secureCode: boolean;
  /** Access tokens must be bound to a key (RFC 9449): for every API, or only if the API accepts bound tokens. */
  readonly boundTokens: "always" | "if-accepted" | "no";
  /** Proofs must have a nonce. */
  readonly nonce: boolean;
  /**
   * The audience of client assertions must be the issuer alone, as text (RFC 7523bis), and `iat` must not be in the future.
   * Request objects need `nbf` and `exp`.
   */
  readonly strictAssertions: boolean;
  /** The grant types that the client may use at most; undefined: all. */
  readonly grantTypes: readonly string[] | undefined;
  /** The algorithms of client assertions and of request objects. */
  readonly assertionAlgorithms: readonly string[];
  readonly proofAlgorithms: readonly string[];
}

/** Whether a client has the FAPI 2.0 security profile, with DPoP in place of mutual TLS. */
export function isFapi({ compliance_level: level }: { readonly compliance_level?: string }): boolean {
  return level === "fapi2_sp_pkj_mtls";
}

/**
 * Returns the demands on a client. The pushed request, `/authorize`, the token endpoint and the APIs of the service ask
 * this function alone. A public client needs nonces: it does not authenticate, so others could prepare its proofs.
 */
export function demandsOn({ record, settings }: Pick<RegisteredClient, "record" | "settings">): ClientDemands {
  const fapi = isFapi(settings);
  const allowed = (all: readonly string[]): readonly string[] => (fapi ? all.filter((alg) => fapiAlgorithms.includes(alg)) : all);
  return {
    pushedRequest: fapi || settings.require_pushed_authorization_requests === true,
    signedRequest: settings.signed_request_object?.required === true,
    secureCode: fapi,
    boundTokens: fapi ? "always" : settings.require_proof_of_possession === true ? "if-accepted" : "no",
    nonce: fapi || isPublic(record.token_endpoint_auth_method),
    strictAssertions: fapi,
    grantTypes: fapi ? fapiGrantTypes : undefined,
    assertionAlgorithms: allowed(assertionAlgorithms),
    proofAlgorithms: allowed(proofAlgorithms),
  };
}

/** Settings of a client that its compliance level depends on. */
interface LeveledSettings {
  readonly compliance_level?: string;
  readonly jwt_configuration?: { readonly alg: string };
  readonly refresh_token?: { readonly rotation_type: string };
}

/** Returns which setting the compliance level of a client does not allow; undefined if all are allowed. */
export function levelProblem(method: string, settings: LeveledSettings): string | undefined {
  if (!isFapi(settings)) return undefined;
  const prefix = "'compliance_level': fapi2_sp_pkj_mtls requires";
  if (method !== "private_key_jwt") return `${prefix} private_key_jwt as the authentication method`;
  if (!namesOfAlgorithm(settings.jwt_configuration?.alg ?? "").some((alg) => fapiAlgorithms.includes(alg)))
    return `${prefix} PS256, ES256, EdDSA or Ed25519 as jwt_configuration.alg`;
  if (settings.refresh_token?.rotation_type === "rotating") return `${prefix} refresh tokens that do not rotate`;
  return undefined;
}
