import type { ServiceContext } from "../../context.ts";
import { calculateJwkThumbprint, exportJWK, exportPKCS8, importPKCS8, type JWK } from "jose";
import { boundedMap } from "../../store/bounded-map.ts";
import type { Row, StoredRow } from "../../store/schema.ts";
import { placeOf } from "../../store/sealed.ts";
import type { JsonObject } from "../../store/value.ts";
import { sealOf } from "../../crypto/seal.ts";
import { toSigningAlgorithm, webCryptoParameters, type SigningAlgorithm } from "../../model/keys/algorithms.ts";
import { issueCertificate } from "./certificate.ts";
import { certificatePrints, readCertificate, type CertificateFacts, type CertificatePrints } from "./certificate-facts.ts";

/** The two buckets that keys live in (spec section 2.6). */
export type KeyType = "jwt_signing" | "saml_encryption";

/**
 * A key that is stored, with the tenant whose it is: the control plane's sign for others too. Which one signs, and which are published, is computed from its
 * instants at the moment of use.
 */
export type SigningKey = StoredRow<"signing_keys">;

const day = 86_400_000;

/** Certificate lifetimes where a caller asks for none, in days (spec section 4.9). */
export const defaultValidityDays: { readonly [type in KeyType]: number } = { jwt_signing: 365, saml_encryption: 5 * 365 };

/** Makes a key pair with its certificate, for a tenant; the private half is sealed. `activatesAt` is in milliseconds since 1970. */
export async function createSigningKey(
  context: ServiceContext,
  tenantId: string,
  options: {
    readonly type: KeyType;
    readonly commonName: string;
    readonly validityDays: number;
    readonly activatesAt: number;
    /** Default: the installation's own. */
    readonly alg?: SigningAlgorithm;
  },
): Promise<Row<"signing_keys">> {
  const alg = options.type === "saml_encryption" ? "RS256" : (options.alg ?? context.config.signingAlgorithm);
  const now = context.now();
  const keys = await crypto.subtle.generateKey(webCryptoParameters[alg].generate, true, ["sign", "verify"]);
  const { kty, n, e, crv, x, y } = await exportJWK(keys.publicKey);
  const publicJwk = defined({ kty, n, e, crv, x, y });
  const certificate = await certificateFor(context, keys, { ...options, alg });
  const kid = await calculateJwkThumbprint(publicJwk);
  const sealed = await context.secrets.sealer.seal(placeOf("signing_keys", tenantId, kid), await exportPKCS8(keys.privateKey));
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

/** Issues a certificate that is valid from now on and for so many days after the key's activation. */
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

/** Whether a key stands in the JWKS: from its creation, before it signs, until it is retired or revoked. */
export function isPublished(key: SigningKey, now: number): boolean {
  return key.revoked_at === null && (key.retires_at === null || key.retires_at > now);
}

/**
 * Imports keys once: importing costs as much as signing, reading a certificate more than that.
 * Entries are by `kid`, which is a hash of the public key, so a stale one cannot exist; private ones by their tenant as well, because they open nowhere else. (The certificate may be renewed; its text is part of that name.)
 */
export interface KeyStore {
  privateKey(key: SigningKey): Promise<CryptoKey>;
  publicKey(key: SigningKey): Promise<CryptoKey>;
  certificate(key: SigningKey): Promise<CertificateFacts>;
  /** What its certificate is known by: all that the JWKS needs. */
  prints(key: SigningKey): Promise<CertificatePrints>;
}

/** Makes a {@link KeyStore} that keeps the 1,000 keys used last. */
export function createKeyStore(context: ServiceContext): KeyStore {
  const cache = <T extends object>(load: (key: SigningKey, alg: SigningAlgorithm) => Promise<T>, name: (key: SigningKey) => string) => {
    const entries = boundedMap<Promise<T>>({ entries: 1000 });
    return (key: SigningKey): Promise<T> => {
      const known = entries.get(name(key));
      if (known !== undefined) return known;
      const loading = load(key, toSigningAlgorithm(key.alg));
      entries.set(name(key), loading);
      // A failed load must not be remembered: the key ring may be completed without a restart.
      loading.catch(() => entries.delete(name(key)));
      return loading;
    };
  };
  return {
    privateKey: cache(
      async (key, alg) =>
        importPKCS8(await context.secrets.sealer.open(placeOf("signing_keys", key.tenant_id, key.kid), key.private_key), alg),
      (key) => JSON.stringify([key.tenant_id, key.kid]),
    ),
    publicKey: cache(
      async (key, alg) => crypto.subtle.importKey("jwk", { ...key.public_jwk }, webCryptoParameters[alg].import, true, ["verify"]),
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

/** A key as the JWKS lists it (RFC 7517), with its certificate. */
export async function toPublicJwk(key: SigningKey, store: KeyStore): Promise<JWK> {
  const { base64, thumbprint } = await store.prints(key);
  return { ...key.public_jwk, use: "sig", alg: key.alg, kid: key.kid, x5c: [base64], x5t: thumbprint };
}
