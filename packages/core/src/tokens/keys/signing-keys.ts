import type { ServiceContext } from "../../context.ts";
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK } from "jose";
import { boundedMap } from "../../store/bounded-map.ts";
import type { Row, StoredRow } from "../../store/schema.ts";
import { sealedPlaceOf } from "../../store/sealed.ts";
import type { JsonObject } from "../../store/value.ts";
import type { Telemetry } from "../../telemetry/telemetry.ts";
import { sealOf } from "../../crypto/seal.ts";
import { toSigningAlgorithm, webCryptoParameters, type SigningAlgorithm } from "../../model/keys/algorithms.ts";
import { issueCertificate } from "./certificate.ts";
import { certificatePrints, readCertificate, type CertificateFacts, type CertificatePrints } from "./certificate-facts.ts";

/** The types of keys. Keys of different types are rotated independently. */
export type KeyType = "jwt_signing" | "saml_encryption";

/**
 * A stored key and the tenant that owns it, because keys of the control plane also sign for other tenants. Which key
 * signs and which keys are published is computed from their timestamps at each use.
 */
export type StoredSigningKey = StoredRow<"signing_keys">;

const day = 86_400_000;

/** Default certificate lifetimes in days. */
export const defaultValidityDays: { readonly [type in KeyType]: number } = { jwt_signing: 365, saml_encryption: 5 * 365 };

/**
 * Creates a key pair with its certificate, without storing it. The private key is encrypted. `activatesAt` is in
 * milliseconds since 1970.
 */
export async function createSigningKey(
  context: ServiceContext,
  tenantId: string,
  options: {
    readonly type: KeyType;
    readonly commonName: string;
    readonly validityDays: number;
    readonly activatesAt: number;
    /** Default: the `crypto.signingAlgorithm` option. */
    readonly alg?: SigningAlgorithm;
  },
): Promise<Row<"signing_keys">> {
  const alg = options.type === "saml_encryption" ? "RS256" : (options.alg ?? context.config.signingAlgorithm);
  const now = context.now();
  const keys = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  const { kty, n, e, crv, x, y } = await exportJWK(keys.publicKey);
  const publicJwk = defined({ kty, n, e, crv, x, y });
  const certificate = await certificateFor(context, keys, { ...options, alg });
  const kid = await calculateJwkThumbprint(publicJwk);
  const sealed = await context.secrets.sealer.seal(sealedPlaceOf("signing_keys", tenantId, kid), await exportPKCS8(keys.privateKey));
  return {
    kid,
    type: options.type,
    alg,
    public_jwk: publicJwk,
    private_key: sealed,
    seal: sealOf(context, [sealed]),
    certificate,
    created_at: now,
    activates_at: options.activatesAt,
    retires_at: null,
    revoked_at: null,
    slot: null,
  };
}

/** Issues a certificate that is valid from now until `validityDays` days after the activation of the key. */
export async function certificateFor(
  context: ServiceContext,
  keys: CryptoKeyPair,
  options: { readonly alg: string; readonly commonName: string; readonly validityDays: number; readonly activatesAt: number },
): Promise<string> {
  const now = context.now();
  return issueCertificate(keys, {
    alg: toSigningAlgorithm(options.alg),
    commonName: options.commonName,
    notBefore: now,
    notAfter: Math.max(now, options.activatesAt) + options.validityDays * day,
    random: context.random,
  });
}

function defined(members: { readonly [name: string]: string | undefined }): JsonObject & JWK {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** `true` if the key is in the JWKS: from its creation, before it signs, until it is retired or revoked. */
export function isPublished(key: StoredSigningKey, now: number): boolean {
  return key.revoked_at === null && (key.retires_at === null || key.retires_at > now);
}

/**
 * Caches imported keys. Importing a key takes as much time as signing, and reading a certificate takes more. Public
 * keys are cached by `kid`, a hash of the public key, so an entry cannot become stale. Private keys are cached by
 * tenant and `kid`, because a private key can be decrypted only for the tenant that owns it. Certificates are cached by
 * their text, because the certificate of a key can be renewed.
 */
export interface KeyStore {
  privateKey(key: StoredSigningKey): Promise<CryptoKey>;
  publicKey(key: StoredSigningKey): Promise<CryptoKey>;
  certificate(key: StoredSigningKey): Promise<CertificateFacts>;
  /** The fingerprints and text of the certificate: all that the JWKS needs. */
  prints(key: StoredSigningKey): Promise<CertificatePrints>;
  /** Records signatures; undefined if the host application passes no telemetry. */
  readonly telemetry: Telemetry | undefined;
}

/** Creates a {@link KeyStore} that caches the 1,000 most recently used entries of each kind. */
export function createKeyStore(context: ServiceContext): KeyStore {
  const cache = <T extends object>(
    load: (key: StoredSigningKey, alg: SigningAlgorithm) => Promise<T>,
    name: (key: StoredSigningKey) => string,
  ) => {
    const entries = boundedMap<Promise<T>>({ entries: 1000 });
    return (key: StoredSigningKey): Promise<T> => {
      const known = entries.get(name(key));
      if (known !== undefined) return known;
      const loading = load(key, toSigningAlgorithm(key.alg));
      entries.set(name(key), loading);
      // Failures are not cached: the key ring may be completed without a restart.
      loading.catch(() => entries.delete(name(key)));
      return loading;
    };
  };
  return {
    telemetry: context.host.telemetry,
    privateKey: cache(
      async (key, alg) =>
        importPKCS8(await context.secrets.sealer.open(sealedPlaceOf("signing_keys", key.tenant_id, key.kid), key.private_key), alg),
      (key) => JSON.stringify([key.tenant_id, key.kid]),
    ),
    publicKey: cache(
      async (key, alg) => crypto.subtle.importKey("jwk", { ...key.public_jwk }, webCryptoParameters[alg], true, ["verify"]),
      (key) => key.kid,
    ),
    certificate: cache(
      async (key) => readCertificate(key.certificate),
      (key) => key.certificate,
    ),
    prints: cache(
      async (key) => certificatePrints(key.certificate),
      (key) => key.certificate,
    ),
  };
}

/** Converts a key to an entry of the JWKS (RFC 7517), with its certificate. */
export async function toPublicJwk(key: StoredSigningKey, store: KeyStore): Promise<JWK> {
  const { base64, thumbprint } = await store.prints(key);
  return { ...key.public_jwk, use: "sig", alg: key.alg, kid: key.kid, x5c: [base64], x5t: thumbprint };
}
