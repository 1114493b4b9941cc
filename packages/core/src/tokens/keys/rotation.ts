import type { DataContext } from "../../context.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { certificateFor, createSigningKey, isPublished, type KeyStore, type KeyType, type SigningKey } from "./signing-keys.ts";
import { currentKey, successionOf } from "./succession.ts";

const day = 86_400_000;

/** Days for which an outgoing key stays valid where a caller does not say (spec section 4.9). */
export const defaultGraceDays = 1;

/** Keys of one type that a tenant may publish at a time: each of them is in its JWKS, which every client reads. */
export const mostPublished = 10;

/** How often a succession is looked at again because others changed it meanwhile. */
const tries = 10;

/** What a new key is made with. */
export interface NewKeyTerms {
  readonly type: KeyType;
  /** The name in its certificate. */
  readonly commonName: string;
  readonly validityDays: number;
}

/** What a rotation may choose (spec section 4.9), in days. */
export interface RotationTerms extends NewKeyTerms {
  readonly activateInDays: number;
  readonly graceDays: number;
}

/** Every key of one bucket that the tenant owns, also revoked and retired ones. */
export async function ownKeys(data: TenantData, type: KeyType): Promise<readonly SigningKey[]> {
  const rows = await readAll(data.signing_keys, schema.signing_keys.key, { type });
  return rows.map((row) => ({ ...row, tenant_id: data.tenantId }));
}

/**
 * Publishes a new key, which signs from its activation on; the keys before it stay valid for the days of grace after that.
 * The new key is stored before any other is touched: a crash leaves a key that retires later than asked, never a bucket that runs dry.
 * Parallel rotations store their keys, as many as there are places for, and all agree on the last one.
 * @throws {PosternError} `conflict` where the tenant publishes {@link mostPublished} keys of this type already.
 */
export async function rotateKeys(context: DataContext, terms: RotationTerms): Promise<SigningKey> {
  const fresh = await insertInSlot(context, terms);
  await settle(context.data, terms.type, terms.graceDays, fresh.kid);
  return fresh;
}

/**
 * Revokes a key: it is published no more, and what it signed is refused. The key that signs gets its successor first, so that none of these writes
 * leaves the bucket without one. Revoking a revoked key changes nothing.
 */
export async function revokeKey(context: DataContext, key: SigningKey, terms: NewKeyTerms): Promise<void> {
  const { data } = context;
  const now = context.now();
  const bucket = await ownKeys(data, terms.type);
  if (currentKey(bucket, terms.type, now)?.kid === key.kid) {
    await insertKey(context, terms, now);
  } else {
    // The key that it was to follow goes on: its retirement would leave nobody.
    const heir = successionOf(bucket, terms.type)
      .filter(({ kid }) => kid !== key.kid)
      .at(-1);
    if (heir !== undefined && heir.retires_at !== null) await retire(data, heir, null);
  }
  await data.signing_keys.update({ kid: key.kid, revoked_at: null }, { set: { revoked_at: now } });
  await settle(data, terms.type, defaultGraceDays);
}

/** Issues the certificate of a key again, over the same key pair. */
export async function renewCertificate(
  context: DataContext,
  store: KeyStore,
  key: SigningKey,
  terms: Omit<NewKeyTerms, "type">,
): Promise<SigningKey> {
  const keys = { privateKey: await store.privateKey(key), publicKey: await store.publicKey(key) };
  const certificate = await certificateFor(context, keys, { ...terms, alg: key.alg, activatesAt: key.activates_at });
  await context.data.signing_keys.update({ kid: key.kid }, { set: { certificate } });
  return { ...key, certificate };
}

/**
 * Stores a key in a place of its own. The insert decides: of parallel rotations two never take one place. A key that was not made by a rotation, which is the first one,
 * the successor of a revoked one, and one that was made for its algorithm, has no place and counts all the same.
 */
async function insertInSlot(context: DataContext, terms: RotationTerms): Promise<SigningKey> {
  const { data } = context;
  const now = context.now();
  const bucket = await ownKeys(data, terms.type);
  for (const { kid, slot, retires_at, revoked_at } of bucket.filter((key) => key.slot !== null && !isPublished(key, now))) {
    await data.signing_keys.update({ kid, slot, retires_at, revoked_at }, { set: { slot: null } });
  }
  const taken = bucket.filter((key) => isPublished(key, now)).map(({ slot }) => slot);
  const places = mostPublished - taken.filter((slot) => slot === null).length;
  const free = Array.from({ length: Math.max(0, places) }, (_, place) => place).filter((place) => !taken.includes(place));
  if (free.length > 0) {
    const fresh = await newKey(context, terms, now + terms.activateInDays * day);
    for (const slot of free) if (await data.signing_keys.insert([{ ...fresh, slot }])) return { ...fresh, slot, tenant_id: data.tenantId };
  }
  throw new PosternError("conflict", `${mostPublished} keys of this type are published already: revoke one, or wait until one retires`);
}

async function newKey(context: DataContext, terms: NewKeyTerms, activatesAt: number): Promise<Row<"signing_keys">> {
  const made = await createSigningKey(context, context.data.tenantId, { ...terms, activatesAt });
  const latest = Math.max(0, ...(await ownKeys(context.data, terms.type)).map(({ created_at: at }) => at));
  // Among keys that are activated in the same millisecond, the one made later follows.
  return { ...made, created_at: Math.max(made.created_at, latest + 1) };
}

async function insertKey(context: DataContext, terms: NewKeyTerms, activatesAt: number): Promise<void> {
  if (!(await context.data.signing_keys.insert([await newKey(context, terms, activatesAt)]))) throw new Error("a random key is taken");
}

/**
 * Gives every key but the last its retirement, and the last one none. Whoever changed a succession calls this afterwards, and looks again until there is
 * nothing left to do: of parallel changes the last to look sees all of them.
 * @param fresh the key of this rotation: its predecessor retires for it, also where it was to retire later.
 */
async function settle(data: TenantData, type: KeyType, graceDays: number, fresh?: string): Promise<void> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const line = successionOf(await ownKeys(data, type), type);
    const due = line.flatMap((key, index) => {
      const retiresAt = retirement(key, line[index + 1], graceDays, fresh);
      return retiresAt === key.retires_at ? [] : [{ key, retiresAt }];
    });
    if (due.length === 0) return;
    for (const { key, retiresAt } of due) await retire(data, key, retiresAt);
  }
}

function retirement(key: SigningKey, successor: SigningKey | undefined, graceDays: number, fresh: string | undefined): number | null {
  if (successor === undefined) return null;
  const retiresAt = successor.activates_at + graceDays * day;
  if (key.retires_at === null) return retiresAt;
  return successor.kid === fresh ? Math.min(key.retires_at, retiresAt) : key.retires_at;
}

/** Moves a retirement, unless somebody else moved it first. */
async function retire(data: TenantData, key: SigningKey, retiresAt: number | null): Promise<void> {
  await data.signing_keys.update({ kid: key.kid, revoked_at: null, retires_at: key.retires_at }, { set: { retires_at: retiresAt } });
}
