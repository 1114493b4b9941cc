import * as z from "zod";
import { upstreamDetailsSchema } from "../../model/connections/upstream-details.ts";
import { PosternError } from "../../errors.ts";
import type { Caller } from "../../tenants/callers/caller.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The lifetime of a test sign-in in milliseconds, from its start to its result. */
export const connectionTestLifetime = 10 * 60_000;

const callerSchema = z.strictObject({ tenant_id: z.string(), subject: z.string(), session_id: z.string(), client_id: z.string() });

const testSchema = z.strictObject({
  /** A random text. The provider receives it in the `state`. */
  id: z.string(),
  connection_id: z.string(),
  /** The user and the session that started the test. Only they receive its result. */
  caller: callerSchema,
  return_url: z.string(),
  /** Milliseconds since 1970. */
  expires_at: z.number(),
});

/** A test sign-in. It is stored nowhere: the browser carries it, encrypted. */
export type ConnectionTest = z.output<typeof testSchema>;

const responseSchema = z.strictObject({
  test: testSchema,
  outcome: z.union([
    /** The parameters that the provider added to the callback, and the redirect URI that it received. */
    z.strictObject({ redirect_uri: z.string(), parameters: z.array(z.tuple([z.string(), z.string()])) }),
    /** Why the browser was not sent to the provider. */
    z.strictObject({ message: z.string(), details: upstreamDetailsSchema.exactOptional() }),
  ]),
});

/** The end of a test sign-in in the browser. */
export type ConnectionTestResponse = z.output<typeof responseSchema>;

const placeIn = ({ id: tenantId }: RequestTenant, field: "test" | "response") => ({
  tenantId,
  collection: "connection_tests",
  id: "browser",
  field,
});

/** Returns a test as text for the browser. The text begins with the tenant's id, because the URL may not name the tenant. */
export async function sealTest(tenant: RequestTenant, test: ConnectionTest): Promise<string> {
  return `${tenant.id}.${await tenant.secrets.sealer.seal(placeIn(tenant, "test"), JSON.stringify(test))}`;
}

/** Decrypts a test. Undefined if the text is invalid, belongs to another tenant, or has expired. */
export async function openTest(tenant: RequestTenant, text: string): Promise<ConnectionTest | undefined> {
  const opened = await open(tenant, "test", text);
  const test = opened === undefined ? undefined : testSchema.parse(JSON.parse(opened));
  return test !== undefined && tenant.now() < test.expires_at ? test : undefined;
}

/** Returns the end of a test as text for the return URL. */
export async function sealResponse(tenant: RequestTenant, response: ConnectionTestResponse): Promise<string> {
  return `${tenant.id}.${await tenant.secrets.sealer.seal(placeIn(tenant, "response"), JSON.stringify(response))}`;
}

/** Decrypts the end of a test. @throws {PosternError} `invalid_request` if it is invalid or has expired. */
export async function openResponse(tenant: RequestTenant, text: string): Promise<ConnectionTestResponse> {
  const opened = await open(tenant, "response", text);
  const response = opened === undefined ? undefined : responseSchema.parse(JSON.parse(opened));
  if (response === undefined || tenant.now() >= response.test.expires_at)
    throw new PosternError("invalid_request", "'response' is unknown or has expired. Start the test again");
  return response;
}

async function open(tenant: RequestTenant, field: "test" | "response", text: string): Promise<string | undefined> {
  const prefix = `${tenant.id}.`;
  if (!text.startsWith(prefix)) return undefined;
  return tenant.secrets.sealer.open(placeIn(tenant, field), text.slice(prefix.length)).catch(() => undefined);
}

/**
 * Returns the identity of a caller, to which a test is bound.
 * @throws {PosternError} `forbidden` for a client, because a test needs a browser in which a user is signed in.
 */
export function callerOfTest({ tenantId, subject, sessionId, clientId }: Caller): ConnectionTest["caller"] {
  if (sessionId === undefined) throw new PosternError("forbidden", "the token was not issued for a user");
  return { tenant_id: tenantId, subject, session_id: sessionId, client_id: clientId };
}
