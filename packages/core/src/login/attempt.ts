import type { Row } from "../data/schema.ts";
import type { AuditEvent } from "../domain/audit.ts";
import type { CodeLogin } from "../domain/login/code-login.ts";
import type { PasswordLogin } from "../domain/login/password-login.ts";
import type { UpstreamLogin } from "../domain/login/upstream-login.ts";
import { registrationAt } from "../domain/actions/registration.ts";
import { dropNewSession, type Session } from "../domain/sessions/session.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { recordTries } from "./record-tries.ts";

/** What a login begins: it is made before the login is decided, so that whoever takes the proof or the account away meanwhile makes it void. */
export interface Beginning<Begun> {
  /** Begins it for a primary account that was proved by one of its accounts. */
  begin(userId: string, account: Row<"users">): Promise<Begun>;
  /** Takes it back where the login does not come about. */
  takeBack(begun: Begun): Promise<unknown>;
}

type Kind = (CodeLogin | PasswordLogin | UpstreamLogin)["kind"];

interface Tried<Of extends Kind> {
  readonly kind: Of;
  readonly events: readonly AuditEvent[];
}

/** Of all that can come of a try, that somebody is signed in. */
export type SignedIn<Login> = Extract<Login, { readonly kind: "signed-in" }>;

/** Of all that can come of a try, that nobody is. */
export type Refused<Login> = Exclude<Login, { readonly kind: "signed-in" }>;

/** What came of a try. Nothing may be answered before `recorded`. */
export type Settled<Accepted, Failed, Begun> = { readonly recorded: Promise<unknown> } & ((Accepted & { readonly begun: Begun }) | Failed);

/** A try to sign in. */
export interface Attempt<Begun> {
  /** What a try is made of, besides what is proved by it. */
  readonly request: ReturnType<typeof requestAt> & { begin(userId: string, account: Row<"users">): Promise<void> };
  /** Puts on record what came of the try, and takes back what was begun in vain. */
  settle<Accepted extends Tried<"signed-in">, Failed extends Tried<Exclude<Kind, "signed-in">>>(
    result: Accepted | Failed,
  ): Promise<Settled<Accepted, Failed, Begun>>;
}

function requestAt(tenant: Tenant, client: Client, connection: Row<"connections">) {
  const { environment, data, requestInfo } = tenant;
  const { rateLimiter: limiter, wait } = environment;
  return {
    environment,
    data,
    tenantId: tenant.id,
    connection,
    ip: requestInfo.ip,
    limiter,
    wait,
    registration: registrationAt(tenant, client.record, connection),
  };
}

/** Begins a try to sign in at a connection. */
export function attemptAt<Begun extends object>(
  tenant: Tenant,
  client: Client,
  connection: Row<"connections">,
  beginning: Beginning<Begun>,
): Attempt<Begun> {
  let begun: Begun | undefined;
  return {
    request: {
      ...requestAt(tenant, client, connection),
      begin: async (userId, account) => {
        begun = await beginning.begin(userId, account);
      },
    },
    async settle(result) {
      const recorded = recordTries(tenant, client, result.events);
      if (result.kind !== "signed-in") {
        if (begun !== undefined) await beginning.takeBack(begun);
        return { ...result, recorded };
      }
      if (begun === undefined) throw new Error("what a login begins is there before the login is decided");
      return { ...result, begun, recorded };
    },
  };
}

/** A login that begins a session. */
export function sessionBeginning<Begun extends { readonly session: Session }>(
  { data }: Tenant,
  begin: Beginning<Begun>["begin"],
): Beginning<Begun> {
  return { begin, takeBack: ({ session }) => dropNewSession(data, session) };
}
