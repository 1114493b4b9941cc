import type { SqlAdapter } from "@postern/kysely";
import { systemClock } from "@postern/core/testing";
import { list, managerOf, type Manager } from "../../support/api.ts";
import { codeGrant, login, openService, refreshGrant, type App, type LoginService } from "../../support/flow.ts";
import type { ApiResponse } from "../../support/postern.ts";

/** The writes that the service acknowledged. */
interface Acknowledged {
  /** The email addresses of created users. */
  readonly users: string[];
  /** Redeemed authorization codes. */
  readonly codes: string[];
  /** Refresh tokens that were exchanged for a successor. */
  readonly rotated: string[];
  /** Revoked grants. */
  readonly revoked: { readonly access: string; readonly refresh: string }[];
}

/** Acknowledged writes that are missing afterwards. */
interface Missing {
  readonly users: number;
  readonly codesRedeemedAgain: number;
  readonly rotatedTokensAccepted: number;
  readonly revokedTokensAlive: number;
  /** Users that exist twice. */
  readonly duplicates: number;
}

/** A Postern service under load, with a list of the writes that it acknowledged. */
export interface CheckedLoad {
  readonly acknowledged: Acknowledged;
  /** The number of codes and refresh tokens for which two concurrent requests both succeeded. */
  readonly wonTwice: number;
  /**
   * The status and the time (`performance.now()`) of each response that is neither a success nor an expected rejection.
   */
  readonly failures: readonly { readonly status: number; readonly at: number }[];
  /** The times at which a write was acknowledged. */
  readonly successes: readonly number[];
  /** Stops the workers and waits for their last requests. */
  stop(): Promise<void>;
  /** Checks each acknowledged write. */
  findMissing(): Promise<Missing>;
}

/**
 * Starts a Postern on the database and workers that create users, sign in, redeem codes, rotate refresh tokens and
 * revoke grants. Two concurrent requests use each code and half of the refresh tokens.
 */
export async function startCheckedLoad(data: SqlAdapter, workers: number): Promise<CheckedLoad> {
  const service = await openService({ data, testing: { clock: systemClock }, logger: { log: () => {} } });
  const manage = await managerOf(service);
  const app = await service.register({
    secret: true,
    grant_types: ["authorization_code", "refresh_token"],
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 0, recovery_window: 0 },
  });
  const acknowledged: Acknowledged = { users: [], codes: [], rotated: [], revoked: [] };
  const failures: { status: number; at: number }[] = [];
  const successes: number[] = [];
  let wonTwice = 0;
  let isStopped = false;

  /** Stores the status and the time of a response. Returns the body if the response acknowledges a write. */
  const record = ({ status, body }: ApiResponse): { readonly [name: string]: string } | undefined => {
    if (status < 300) {
      successes.push(performance.now());
      return (body ?? {}) as { readonly [name: string]: string };
    }
    if (status !== 400 && status !== 401 && status !== 403) failures.push({ status, at: performance.now() });
    return undefined;
  };
  /** Sends the same request twice at once. Returns the first success. */
  const twice = async (send: () => Promise<ApiResponse>) => {
    const won = (await Promise.all([send(), send()])).map(record).filter((body) => body !== undefined);
    if (won.length > 1) wonTwice++;
    return won[0];
  };

  const turn = async (email: string): Promise<void> => {
    const created = record(await manage("POST", "/api/v2/users", { connection: "Username-Password-Authentication", email }));
    if (created !== undefined) acknowledged.users.push(email);

    const code = await getCode(service, app);
    if (code === undefined) {
      failures.push({ status: 503, at: performance.now() });
      return;
    }
    const redeemed = await twice(() => service.exchange(codeGrant(app, code)));
    if (redeemed !== undefined) acknowledged.codes.push(code);

    // A second request with the same code revokes its grant, so these tokens are issued for another code.
    const other = await getCode(service, app);
    const tokens = other === undefined ? undefined : record(await service.exchange(codeGrant(app, other)));
    if (tokens === undefined) return;
    const { refresh_token: refresh = "" } = tokens;
    if (acknowledged.rotated.length % 2 === 0) {
      if ((await twice(() => service.exchange(refreshGrant(app, refresh)))) !== undefined) acknowledged.rotated.push(refresh);
      return;
    }
    const next = record(await service.exchange(refreshGrant(app, refresh)));
    if (next === undefined) return;
    acknowledged.rotated.push(refresh);
    const { access_token: access = "", refresh_token: last = "" } = next;
    const body = new URLSearchParams({ client_id: app.clientId, client_secret: app.secret ?? "", token: last }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    if (record(await service.call("POST", "/oauth/revoke", { body, headers })) !== undefined) {
      acknowledged.revoked.push({ access, refresh: last });
    }
  };
  const running = Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let i = 0; !isStopped; i++) await turn(`load-${worker}-${i}@example.test`);
    }),
  );

  return {
    acknowledged,
    failures,
    successes,
    get wonTwice() {
      return wonTwice;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
    findMissing: () => findMissing(acknowledged, service, app, manage),
  };
}

/** Signs in with a new browser. Returns the code, or undefined if the service is unavailable. */
async function getCode(service: LoginService, app: App): Promise<string | undefined> {
  try {
    const { code } = await login(service.browser(), app, service.ada, { scope: "openid email offline_access" });
    return code;
  } catch {
    return undefined;
  }
}

async function findMissing(acknowledged: Acknowledged, service: LoginService, app: App, manage: Manager): Promise<Missing> {
  const countAccepted = async (bodies: readonly { readonly [name: string]: string }[]): Promise<number> => {
    let accepted = 0;
    for (const body of bodies) if ((await service.exchange(body)).status === 200) accepted++;
    return accepted;
  };
  // Checks the codes first, because they expire.
  const codesRedeemedAgain = await countAccepted(acknowledged.codes.map((code) => codeGrant(app, code)));
  let revokedTokensAlive = 0;
  for (const { access, refresh } of acknowledged.revoked) {
    const isAlive = (await service.userinfo(access)).status === 200;
    if (isAlive || (await countAccepted([refreshGrant(app, refresh)])) > 0) revokedTokensAlive++;
  }
  const rotatedTokensAccepted = await countAccepted(acknowledged.rotated.map((token) => refreshGrant(app, token)));
  let users = 0;
  let duplicates = 0;
  for (const email of acknowledged.users) {
    const found = list(await manage("GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`)).length;
    if (found === 0) users++;
    if (found > 1) duplicates++;
  }
  return { users, codesRedeemedAgain, rotatedTokensAccepted, revokedTokensAlive, duplicates };
}
