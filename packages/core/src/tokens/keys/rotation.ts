import type { DataContext } from "../../context.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { certificateFor, createSigningKey, isPublished, type KeyStore, type KeyType, type StoredSigningKey } from "./signing-keys.ts";
import { currentKey, successionOf } from "./succession.ts";

const day = 86_400_000;

/** Default number of days for which the previous key stays valid after a rotation. */
export const defaultGraceDays = 1;

/** The maximum number of published keys of one type in a tenant: every client downloads all of them in the JWKS. */
const maximumPublished = 10;

/** How often retirement dates are recomputed at most if parallel requests change keys. */
const tries = 10;

/** The properties of a new key. */
interface NewKeyTerms {
  readonly type: KeyType;
  /** The common name in its certificate. */
  readonly commonName: string;
  readonly validityDays: number;
}

/** The options of a rotation, in days. */
interface RotationTerms extends NewKeyTerms {
  readonly activateInDays: number;
  readonly graceDays: number;
}

/** Returns every key of one type that the tenant owns, including revoked and retired ones. */
export async function ownKeys(data: TenantData, type: KeyType): Promise<readonly StoredSigningKey[]> {
  const rows = await readAll(data.signing_keys, schema.signing_keys.key, { type });
  return rows.map((row) => ({ ...row, tenant_id: data.tenantId }));
}

/**
 * Publishes a new key, which signs from its activation on. The previous keys stay valid for the grace period after the
 * activation. The new key is stored before the others are changed: after a crash a key may retire later than requested,
 * but the tenant always has a signing key. Parallel rotations each store a key, up to the maximum. The key that is
 * activated last replaces the others.
 * @throws {PosternError} `conflict` if the tenant already publishes {@link maximumPublished} keys of this type.
 */
export async function rotateKeys(context: DataContext, terms: RotationTerms): Promise<StoredSigningKey> {
  const newKey = await insertInSlot(context, terms);
  await setRetirements(context.data, terms.type, terms.graceDays, newKey.kid);
  return newKey;
}

/**
 * Revokes a key: it is removed from the JWKS, and its signatures are rejected. If the key is the one that signs, its
 * successor is created first, so that the tenant has a signing key after each of these writes. Revoking a revoked key
 * changes nothing.
 */
export async function revokeKey(context: DataContext, key: StoredSigningKey, terms: NewKeyTerms): Promise<void> {
  const { data } = context;
  const now = context.now();
  const bucket = await ownKeys(data, terms.type);
  if (currentKey(bucket, terms.type, now)?.kid === key.kid) {
    await insertKey(context, terms, now);
  } else {
    // If this key is the last in the succession, its predecessor becomes the last key and must not retire.
    const successor = successionOf(bucket, terms.type)
      .filter(({ kid }) => kid !== key.kid)
      .at(-1);
    if (successor !== undefined && successor.retires_at !== null) await retire(data, successor, null);
  }
  await data.signing_keys.update({ kid: key.kid, revoked_at: null }, { set: { revoked_at: now } });
  await setRetirements(data, terms.type, defaultGraceDays);
}

/** Reissues the certificate of a key for the same key pair. */
export async function renewCertificate(
  context: DataContext,
  store: KeyStore,
  key: StoredSigningKey,
  terms: Omit<NewKeyTerms, "type">,
): Promise<StoredSigningKey> {
  const keys = { privateKey: await store.privateKey(key), publicKey: await store.publicKey(key) };
  const certificate = await certificateFor(context, keys, { ...terms, alg: key.alg, activatesAt: key.activates_at });
  await context.data.signing_keys.update({ kid: key.kid }, { set: { certificate } });
  return { ...key, certificate };
}

/**
 * Stores a key in a free slot. Slots are unique, so the insert of a parallel rotation into the same slot fails. A key
 * that was not created by a rotation has no slot but counts toward the maximum: the first key, the successor of a
 * revoked key, and a key that was created for its algorithm.
 */
async function insertInSlot(context: DataContext, terms: RotationTerms): Promise<StoredSigningKey> {
  const { data } = context;
  const now = context.now();
  const bucket = await ownKeys(data, terms.type);
  for (const { kid, slot, retires_at, revoked_at } of bucket.filter((key) => key.slot !== null && !isPublished(key, now))) {
    await data.signing_keys.update({ kid, slot, retires_at, revoked_at }, { set: { slot: null } });
  }
  const usedSlots = bucket.filter((key) => isPublished(key, now)).map(({ slot }) => slot);
  const places = maximumPublished - usedSlots.filter((slot) => slot === null).length;
  const free = Array.from({ length: Math.max(0, places) }, (_, place) => place).filter((place) => !usedSlots.includes(place));
  if (free.length > 0) {
    const newKey = await createKey(context, terms, now + terms.activateInDays * day);
    for (const slot of free)
      if (await data.signing_keys.insert([{ ...newKey, slot }])) return { ...newKey, slot, tenant_id: data.tenantId };
  }
  throw new PosternError("conflict", `${maximumPublished} keys of this type are already published: revoke one, or wait until one retires`);
}

async function createKey(context: DataContext, terms: NewKeyTerms, activatesAt: number): Promise<Row<"signing_keys">> {
  const created = await createSigningKey(context, context.data.tenantId, { ...terms, activatesAt });
  const latest = Math.max(0, ...(await ownKeys(context.data, terms.type)).map(({ created_at: at }) => at));
  // Of keys that are activated in the same millisecond, the one that was created later comes later in the succession.
  return { ...created, created_at: Math.max(created.created_at, latest + 1) };
}

async function insertKey(context: DataContext, terms: NewKeyTerms, activatesAt: number): Promise<void> {
  if (!(await context.data.signing_keys.insert([await createKey(context, terms, activatesAt)])))
    throw new Error("a random key id already exists");
}

/**
 * Sets when each key retires, except the last key of the succession, which does not retire. Every function that changes
 * the succession calls this function afterwards. It repeats until there is nothing left to change, so that the last of
 * several parallel requests takes all keys into account.
 * @param newKid the id of the key that this rotation created. Its predecessor retires at the end of this rotation's
 * grace period, even if a later retirement was set.
 */
async function setRetirements(data: TenantData, type: KeyType, graceDays: number, newKid?: string): Promise<void> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const line = successionOf(await ownKeys(data, type), type);
    const due = line.flatMap((key, index) => {
      const retiresAt = retirement(key, line[index + 1], graceDays, newKid);
      return retiresAt === key.retires_at ? [] : [{ key, retiresAt }];
    });
    if (due.length === 0) return;
    for (const { key, retiresAt } of due) await retire(data, key, retiresAt);
  }
}

function retirement(
  key: StoredSigningKey,
  successor: StoredSigningKey | undefined,
  graceDays: number,
  newKid: string | undefined,
): number | null {
  if (successor === undefined) return null;
  const retiresAt = successor.activates_at + graceDays * day;
  if (key.retires_at === null) return retiresAt;
  return successor.kid === newKid ? Math.min(key.retires_at, retiresAt) : key.retires_at;
}

/** Changes when a key retires, unless a parallel request changed it first. */
async function retire(data: TenantData, key: StoredSigningKey, retiresAt: number | null): Promise<void> {
  await data.signing_keys.update({ kid: key.kid, revoked_at: null, retires_at: key.retires_at }, { set: { retires_at: retiresAt } });
}
