import type { ServiceContext } from "../context.ts";
import type { AnyRow, Collection, Collections, Match } from "../store/contract.ts";
import { storedKey } from "../store/schema.ts";
import { endOfTurn } from "../store/turn.ts";
import { sealedCollections, sealedTexts, type SealedDescription } from "../store/sealed.ts";
import type { Scalar, Value } from "../store/value.ts";
import { afterSealsBy, keyOfSeal, sealOf, sealsBy } from "../crypto/seal.ts";
import type { Sealer } from "../crypto/sealer.ts";

/** Rows per query. */
const chunk = 500;

/** Thrown if a stored secret was encrypted with a key that is not in the key ring. */
export class WrongSecretError extends Error {
  override readonly name = "WrongSecretError";
}

/** The result of decrypting one stored secret. */
interface Sample {
  readonly collection: string;
  /** The id of the key that encrypted the secret. */
  readonly keyId: string;
  /** Undefined if the secret was decrypted. */
  readonly error: Error | undefined;
}

/**
 * Decrypts samples of the stored secrets with the key ring, so that a wrong secret is detected at start and not at the
 * first login. The samples are one row per collection and key, including keys that are not in the ring.
 * @throws {WrongSecretError} that names the collection and the key; errors of the data store.
 */
export async function checkSecret(collections: Collections, sealer: Sealer): Promise<void> {
  const failed = (await decryptSamples(collections, sealer)).find(({ error }) => error !== undefined);
  if (failed !== undefined) throw wrongSecret(failed);
}

/**
 * Requires that each key of the ring decrypts at least one of its samples, so that no request is served with a wrong
 * secret. Less strict than {@link checkSecret}: a damaged row, or a lost key that was taken out of the ring, does not
 * stop the service.
 * @throws {WrongSecretError} that names a collection and the key; errors of the data store.
 */
export async function checkKeysOfRing(collections: Collections, sealer: Sealer): Promise<void> {
  const samples = await decryptSamples(collections, sealer);
  for (const id of sealer.keyIds) {
    const [first, ...others] = samples.filter(({ keyId }) => keyId === id);
    if (first !== undefined && [first, ...others].every(({ error }) => error !== undefined)) throw wrongSecret(first);
  }
}

async function decryptSamples(collections: Collections, sealer: Sealer): Promise<readonly Sample[]> {
  const samples = sealedCollections.map(async (description) => {
    const found: Sample[] = [];
    // Each query skips to the next key in the index, so there are as many queries as keys, plus one.
    for (let past = ""; ;) {
      const [row] = await untyped(collections, description).find({ where: { seal: { gt: past } }, ...inOrder(description), limit: 1 });
      if (row === undefined) return found;
      const keyId = keyOfSeal(String(row["seal"]));
      const opened = Promise.all(sealedTexts(description, row).map(({ place, text }) => sealer.open(place, text)));
      const error = await opened.then(() => undefined, toError);
      found.push({ collection: description.name, keyId, error });
      past = afterSealsBy(keyId);
    }
  });
  return (await Promise.all(samples)).flat();
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function wrongSecret({ collection, keyId, error }: Sample): WrongSecretError {
  const what = `${collection}, sealed by the key '${keyId}'`;
  return new WrongSecretError(`the secret cannot decrypt this data store (${what}), which was encrypted with another secret`, {
    cause: error,
  });
}

/** The result of {@link reencryptSecrets}. */
export interface Resealed {
  /** The number of rows whose secrets were encrypted again, with the first key of the ring. */
  readonly sealedAnew: number;
  /**
   * Whether any remaining secret is encrypted with a key other than the first of the ring. When this is false, and no
   * process encrypts with an older key any more, the older keys can be removed. It stays true if a secret cannot be
   * decrypted because its key is not in the ring; the log reports it (`unreadable_seal`).
   */
  readonly olderKeysInUse: boolean;
  /** Whether nothing is left to do. If false, call again. */
  readonly finished: boolean;
}

/**
 * Re-encrypts the stored secrets that older keys of the ring encrypted, with the first key of the ring. Finds the rows
 * in chunks by an index, without a scan of all rows. Each write is conditional on the old ciphertext. So calls can run
 * in parallel in several processes, can stop at any point, are safe to repeat, and never overwrite a secret that
 * another request sets at the same time.
 */
export async function reencryptSecrets(collections: Collections, context: ServiceContext, budget: number): Promise<Resealed> {
  const { keyId, keyIds } = context.secrets.sealer;
  let [sealedAnew, read] = [0, 0];
  for (const description of sealedCollections) {
    for (const older of keyIds.filter((id) => id !== keyId)) {
      const unreadable: Unreadable[] = [];
      let after: readonly Scalar[] | undefined;
      for (let last = false; !last && read < budget;) {
        const limit = Math.min(chunk, budget - read);
        const where = { seal: { prefix: sealsBy(older) } };
        const rows = await untyped(collections, description).find({ where, ...inOrder(description), ...(after && { after }), limit });
        for (const row of rows) {
          const result = await reencrypt(context, description, row);
          if ("error" in result) unreadable.push(result);
          else sealedAnew += await untyped(collections, description).update(result.where, { set: result.set });
        }
        await endOfTurn();
        read += rows.length;
        after = inOrder(description).orderBy.fields.map((field) => String(rows.at(-1)?.[field]));
        last = rows.length < limit;
      }
      report(context, description, older, unreadable);
    }
  }
  const olderKeysInUse = await areOlderKeysInUse(collections, context);
  // Another call cannot help if the remaining secrets cannot be decrypted: this call re-encrypted no rows.
  return { sealedAnew, olderKeysInUse, finished: !olderKeysInUse || (budget > 0 && sealedAnew === 0) };
}

/** A row that cannot be decrypted with the key that it names. */
interface Unreadable {
  readonly key: AnyRow;
  readonly error: unknown;
}

/** The update that re-encrypts a row. */
interface Reencryption {
  readonly where: Match<AnyRow>;
  readonly set: AnyRow;
}

async function reencrypt(context: ServiceContext, description: SealedDescription, row: AnyRow): Promise<Reencryption | Unreadable> {
  const key = Object.fromEntries(storedKey(description).map((field) => [field, String(row[field])]));
  try {
    const texts = await Promise.all(
      sealedTexts(description, row).map(async ({ place, text, member }) => ({
        member,
        text: await context.secrets.sealer.seal(place, await context.secrets.sealer.open(place, text)),
      })),
    );
    const whole = texts.find(({ member }) => member === undefined);
    const sealed: Value = whole?.text ?? Object.fromEntries(texts.map(({ member = "", text }) => [member, text]));
    const seal = sealOf(
      context,
      texts.map(({ text }) => text),
    );
    return { where: { ...key, seal: String(row["seal"]) }, set: { [description.sealed]: sealed, seal } };
  } catch (error) {
    return { key, error };
  }
}

/** Logs one error per collection and key, regardless of the number of rows. */
function report(context: ServiceContext, { name }: SealedDescription, keyId: string, unreadable: readonly Unreadable[]): void {
  const [first] = unreadable;
  if (first === undefined) return;
  context.host.logger.log({
    level: "warn",
    event: "unreadable_seal",
    collection: name,
    key_id: keyId,
    ...first.key,
    records: unreadable.length,
    error: first.error,
  });
}

/**
 * Whether any secret is encrypted with a key other than the first. Queries the data store instead of counting, because
 * other processes re-encrypt secrets as well.
 */
async function areOlderKeysInUse(collections: Collections, context: ServiceContext): Promise<boolean> {
  const others: readonly Match<AnyRow>[] = [
    { seal: { gt: "", lt: sealsBy(context.secrets.sealer.keyId) } },
    { seal: { gte: afterSealsBy(context.secrets.sealer.keyId) } },
  ];
  const found = await Promise.all(
    sealedCollections.flatMap((description) =>
      others.map(async (where) => {
        const [row] = await untyped(collections, description).find({ where, ...inOrder(description), limit: 1 });
        const keyId = row && keyOfSeal(String(row["seal"]));
        if (keyId !== undefined && !context.secrets.sealer.keyIds.includes(keyId)) {
          context.host.logger.log({
            level: "warn",
            event: "unreadable_seal",
            collection: description.name,
            key_id: keyId,
            error: "the key ring does not contain this key",
          });
        }
        return row;
      }),
    ),
  );
  return found.some((row) => row !== undefined);
}

function inOrder(description: SealedDescription) {
  return { orderBy: { fields: ["seal", ...storedKey(description)], direction: "asc" } } as const;
}

/** Row types differ between collections. The fields that are used here follow from the description. */
function untyped(collections: Collections, { name }: SealedDescription): Collection {
  return collections[name] as unknown as Collection;
}
