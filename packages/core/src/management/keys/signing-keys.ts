import * as z from "zod";
import { defaultGraceDays, ownKeys, renewCertificate, revokeKey, rotateKeys } from "../../tokens/keys/rotation.ts";
import { defaultValidityDays, isPublished, type KeyType, type StoredSigningKey } from "../../tokens/keys/signing-keys.ts";
import { currentKey, inSuccession, keyStatus } from "../../tokens/keys/succession.ts";
import { PosternError } from "../../errors.ts";
import {
  certificateBodySchema,
  certificateQuerySchema,
  keyTypeQuerySchema,
  mergedParameters,
  rotationBodySchema,
  rotationQuerySchema,
  signingKeyReplySchema,
  type SigningKeyReply,
  toSigningKey,
} from "../../model/keys/signing-keys.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { sharedPlaces } from "../../tenants/keys/shared-issuer.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

const path = "/api/v2/keys/signing";
const missing = { 404: { error: "not_found" } } as const;
const inheritedOnly = { 403: { error: "forbidden: the key belongs to the control plane" } } as const;

const listKeys = route({
  method: "GET",
  path,
  summary: "List signing keys",
  description: "Returns the keys of one type: the tenant's own keys, and the control plane's shared keys, marked `inherited`.",
  scopes: ["read:signing_keys"],
  query: keyTypeQuerySchema,
  responses: { 200: z.array(signingKeyReplySchema) },
})(async ({ query }, { tenant }) => {
  const view = await viewOf(tenant, query.type);
  return Promise.all([...inSuccession(view.own), ...inSuccession(view.shared)].map((key) => present(tenant, view, key)));
});

const getKey = route({
  method: "GET",
  path: `${path}/:kid`,
  summary: "Get a signing key",
  scopes: ["read:signing_keys"],
  query: keyTypeQuerySchema,
  responses: { 200: signingKeyReplySchema, ...missing },
})(async ({ params, query }, { tenant }) => {
  const view = await viewOf(tenant, query.type);
  return present(tenant, view, find(view, params.kid));
});

const rotate = route({
  method: "POST",
  path: `${path}/rotate`,
  operation: "keys.signing.rotate",
  summary: "Rotate the signing key",
  description:
    "Publishes a new key, which is used for signing after `activate_in_days` (default 0). The previous keys stay valid for `grace_days` (default 1) after that. " +
    "The default of `validity_days` is one year for `jwt_signing` and five years for `saml_encryption`. Each parameter can be in the query or in the body. " +
    `Tenant-specific keys sign tokens for the tenant's own host names. At the shared issuer, at most ${sharedPlaces} tenants can have their own keys.`,
  scopes: ["create:signing_keys", "update:signing_keys"],
  query: rotationQuerySchema,
  body: rotationBodySchema.optional(),
  responses: {
    201: signingKeyReplySchema,
    409: { error: "conflict: ten keys of this type are published already, or keys of this tenant could not be used anywhere" },
  },
})(async ({ query, body }, { tenant }) => {
  const { type = "jwt_signing", ...parameters } = mergedParameters(query, body);
  if (type === "jwt_signing" && !(await tenant.signing.makeOwnKeysValid())) {
    throw new PosternError(
      "conflict",
      "keys of this tenant could not be used anywhere: the maximum number of tenants have keys at the shared issuer. Add a custom domain or a subdomain for this tenant first",
    );
  }
  const { kid } = await rotateKeys(tenant, {
    ...certificateTerms(tenant, type, parameters.validity_days),
    activateInDays: parameters.activate_in_days ?? 0,
    graceDays: parameters.grace_days ?? defaultGraceDays,
  });
  return presentById(tenant, type, kid);
});

const revoke = route({
  method: "PUT",
  path: `${path}/:kid/revoke`,
  operation: "keys.signing.revoke",
  summary: "Revoke a signing key",
  description:
    "The key is removed from the JWKS immediately, and tokens that it signed are rejected. If it is the current key, a successor is created, whose certificate is valid for `validity_days`.",
  scopes: ["update:signing_keys"],
  query: certificateQuerySchema,
  body: certificateBodySchema.optional(),
  responses: { 201: signingKeyReplySchema, ...inheritedOnly, ...missing },
})(async ({ params, query, body }, { tenant }) => {
  const { type = "jwt_signing", validity_days: validityDays } = mergedParameters(query, body);
  const key = await findOwn(tenant, type, params.kid);
  // A key can always be revoked, even if its successor cannot be used for signing yet.
  if (type === "jwt_signing") await tenant.signing.makeOwnKeysValid();
  await revokeKey(tenant, key, certificateTerms(tenant, type, validityDays));
  return presentById(tenant, type, key.kid);
});

const renew = route({
  method: "POST",
  path: `${path}/:kid/renew`,
  operation: "keys.signing.renew",
  summary: "Renew the certificate of a signing key",
  description: "Issues a new certificate for the same key pair and `kid`, valid for `validity_days`.",
  scopes: ["create:signing_keys"],
  query: certificateQuerySchema,
  body: certificateBodySchema.optional(),
  responses: { 200: signingKeyReplySchema, ...inheritedOnly, ...missing },
})(async ({ params, query, body }, { tenant }) => {
  const { type = "jwt_signing", validity_days: validityDays } = mergedParameters(query, body);
  const key = await findOwn(tenant, type, params.kid);
  await renewCertificate(tenant, tenant.keys, key, certificateTerms(tenant, type, validityDays));
  return presentById(tenant, type, key.kid);
});

/** The routes for signing keys. No key has the `kid` `rotate`, so `/rotate` is never the URL of a key. */
export const signingKeyRoutes = [listKeys, getKey, rotate, revoke, renew];

/** The keys of one type that are visible in a tenant. */
interface KeyView {
  readonly own: readonly StoredSigningKey[];
  /** The published keys of the control plane. The tenant cannot see its other keys. */
  readonly shared: readonly StoredSigningKey[];
  /** The `kid` of the key that signs the tenant's tokens for the issuer of this request. */
  readonly signs: string | undefined;
}

async function viewOf(tenant: RequestTenant, type: KeyType = "jwt_signing"): Promise<KeyView> {
  const now = tenant.now();
  const own = await ownKeys(tenant.data, type);
  const shared = (await tenant.signing.inherited()).filter((key) => key.type === type && isPublished(key, now));
  const current = currentKey(own, type, now);
  const signs =
    current !== undefined && (type !== "jwt_signing" || (await tenant.signing.ownKeysAreValid())) ? current : currentKey(shared, type, now);
  return { own, shared, signs: signs?.kid };
}

function find({ own, shared }: KeyView, kid: string): StoredSigningKey {
  const key = own.find((candidate) => candidate.kid === kid) ?? shared.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new PosternError("not_found", "there is no such key of this type");
  return key;
}

/**
 * Returns one of the tenant's own keys.
 * @throws {PosternError} `not_found`, or `forbidden` if the key belongs to the control plane.
 */
async function findOwn(tenant: RequestTenant, type: KeyType, kid: string): Promise<StoredSigningKey> {
  const view = await viewOf(tenant, type);
  const key = find(view, kid);
  if (view.own.includes(key)) return key;
  throw new PosternError("forbidden", "an inherited key can be changed only on the control plane");
}

async function presentById(tenant: RequestTenant, type: KeyType, kid: string): Promise<SigningKeyReply> {
  const view = await viewOf(tenant, type);
  return present(tenant, view, find(view, kid));
}

async function present(tenant: RequestTenant, { own, shared, signs }: KeyView, key: StoredSigningKey): Promise<SigningKeyReply> {
  const now = tenant.now();
  const inherited = !own.includes(key);
  return toSigningKey(key, {
    certificate: await tenant.keys.certificate(key),
    standing: keyStatus(key, inherited ? shared : own, signs, now),
    inherited,
    now,
  });
}

function certificateTerms(tenant: RequestTenant, type: KeyType, validityDays = defaultValidityDays[type]) {
  return { type, commonName: tenant.id, validityDays };
}
