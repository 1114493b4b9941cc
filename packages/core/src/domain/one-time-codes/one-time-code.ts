import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { JsonObject } from "../../data/value.ts";
import { PosternError } from "../../errors.ts";
import type { Environment } from "../environment.ts";

export type OneTimeCode = Row<"one_time_codes">;

/** What a code is for. One that was sent for one thing is good for no other. */
export type CodePurpose = "login" | "sign-up" | "reset-password" | "link-account";

/** Whose code it is, and where it counts. */
export interface CodePlace {
  readonly purpose: CodePurpose;
  readonly connectionId: string;
  /** What the code is sent to: an address or a phone number, folded as the connection knows its accounts by it. */
  readonly identifier: string;
  readonly clientId: string;
  /** The login session whose pages ask for it: nowhere else it is known, so nobody can spend somebody else's tries. Left out: it was asked for by `/passwordless/start`. */
  readonly loginId?: string | undefined;
}

/** A code that is to be sent. */
export interface NewCode extends CodePlace {
  /** The account that it is for, where there is one. */
  readonly userId?: string | undefined;
  /** What the one who redeems it will need. */
  readonly request?: JsonObject;
  /** Digits. Default 6. */
  readonly length?: number | undefined;
  /** Seconds that it counts. Default 600: mail may be slow. */
  readonly lifetime?: number | undefined;
  /** Nobody has the address: a row like any other, whose code nobody knows. */
  readonly pretend?: boolean;
  /** Names the form that asks for it, if one does: however often it is sent, one code is made. */
  readonly form?: string | undefined;
}

/** Wrong tries that end a code. */
const mostAttempts = 5;

/** Codes of one purpose for one address that count at the same time, and the wrong tries at all of them, before no further one is sent. */
const most = { codes: 10, attempts: 20 };

const usual = { length: 6, lifetime: 600 };

/**
 * Makes a code. Whoever asks again gets another one, and the former stays good: mails arrive late and in any order.
 * @returns the text to send, which is kept nowhere; undefined where the same form asked before.
 * @throws {PosternError} `TOO_MANY_REQUESTS` where too many codes for the address were asked for, or guessed at, lately.
 */
export async function createCode(environment: Environment, data: TenantData, made: NewCode): Promise<string | undefined> {
  const { clock, fingerprints, ids } = environment;
  const now = clock.now();
  const identifierHash = await identifierHashOf(made);
  const live = await liveCodes(environment, data, made.purpose, identifierHash);
  const guesses = live.reduce((sum, { attempts }) => sum + attempts, 0);
  // The insert decides which of the same form's requests is the first.
  const id = made.form === undefined ? ids.record("otc_") : `otc_${await fingerprints.of("form of a code", data.tenantId, made.form)}`;
  if (live.some((row) => row.id === id)) return undefined;
  if (live.length >= most.codes || guesses >= most.attempts) throw tooMany(live, now);

  const code = ids.digits(made.length ?? usual.length);
  const inserted = await data.one_time_codes.insert([
    {
      id,
      purpose: made.purpose,
      identifier_hash: identifierHash,
      code_hash: await codeHash(environment, data, id, made.pretend === true ? ids.token(16) : code),
      client_id: made.clientId,
      login_id: made.loginId ?? null,
      user_id: made.userId ?? null,
      attempts: 0,
      request: made.request ?? {},
      created_at: now,
      expires_at: now + (made.lifetime ?? usual.lifetime) * 1000,
      consumed_at: null,
    },
  ]);
  return inserted ? code : undefined;
}

/**
 * The code that somebody typed, if it is one that counts here. Each try is counted before it is looked at, at every code that it could be, so that parallel guesses get no
 * further than guesses in turn: with the fifth a code ends, whatever limits the host has.
 * @returns undefined for any other text. Nothing is decided yet: see {@link spendCode}.
 */
export async function findCode(
  environment: Environment,
  data: TenantData,
  place: CodePlace,
  typed: string,
): Promise<OneTimeCode | undefined> {
  const now = environment.clock.now();
  const live = await liveCodes(environment, data, place.purpose, await identifierHashOf(place));
  const candidates = live.filter((row) => row.client_id === place.clientId && row.login_id === (place.loginId ?? null));
  const matches = await Promise.all(
    candidates.map(async (row) => {
      const guard = { id: row.id, attempts: { lt: mostAttempts }, consumed_at: null, expires_at: { gt: now } };
      if ((await data.one_time_codes.update(guard, { add: { attempts: 1 } })) !== 1) return undefined;
      const hash = await codeHash(environment, data, row.id, typed.replaceAll(/\s/g, ""));
      return equalInConstantTime(hash, row.code_hash) ? row : undefined;
    }),
  );
  return matches.find((row) => row !== undefined);
}

/** Spends a code. The write's count decides: of all who bring it, one has it. */
export async function spendCode({ clock }: Environment, data: TenantData, { id }: OneTimeCode): Promise<boolean> {
  const now = clock.now();
  const guard = { id, consumed_at: null, expires_at: { gt: now } };
  return (await data.one_time_codes.update(guard, { set: { consumed_at: now } })) === 1;
}

async function liveCodes({ clock }: Environment, data: TenantData, purpose: CodePurpose, hash: string): Promise<readonly OneTimeCode[]> {
  return data.one_time_codes.find({
    where: { purpose, identifier_hash: hash, consumed_at: null, expires_at: { gt: clock.now() } },
    orderBy: { fields: ["created_at", "id"], direction: "desc" },
    limit: most.codes,
  });
}

async function identifierHashOf({ connectionId, identifier }: CodePlace): Promise<string> {
  return sha256(JSON.stringify([connectionId, identifier]));
}

/** Made with a key of the host: a code has few digits, and whoever reads the database could try them all. */
async function codeHash({ fingerprints }: Environment, { tenantId }: TenantData, id: string, code: string): Promise<string> {
  return fingerprints.of("one-time code", tenantId, id, code);
}

function tooMany(live: readonly OneTimeCode[], now: number): PosternError {
  const first = Math.min(...live.map(({ expires_at: end }) => end));
  const headers = { "retry-after": String(Math.max(1, Math.ceil((first - now) / 1000))) };
  return new PosternError("TOO_MANY_REQUESTS", "Too many codes were asked for. Use the last one, or try again later.", { headers });
}
