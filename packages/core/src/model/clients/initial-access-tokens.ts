import * as z from "zod";
import { PosternError } from "../../errors.ts";
import type { Row } from "../../store/schema.ts";
import { timestampSchema, toTimestamp } from "../fields.ts";

/** A host of a redirect URI: a DNS name in ASCII, `localhost` or an IP address. */
const host = z
  .string()
  .max(255)
  .regex(/^([a-z0-9_]([a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/, "must be a host in lower case, without a port");

const policySchema = z.strictObject({
  redirect_hosts: z
    .array(host)
    .min(1)
    .max(50)
    .exactOptional()
    .meta({ description: "The hosts that redirect URIs may have. Default: all, and custom schemes" }),
});

/** The body of `POST /api/v2/clients/initial-access-tokens`. */
export const createInitialAccessTokenSchema = z
  .strictObject({
    uses: z.int().min(1).max(10_000).meta({ description: "The number of clients that can be registered with the token. Default: 1" }),
    expires_in: z.int().min(1).max(31_536_000).meta({ description: "The lifetime in seconds. Default: 86,400, a day" }),
    policy: policySchema,
  })
  .exactPartial()
  .meta({ id: "CreateInitialAccessToken" });

/** An initial access token, without the token itself. */
export const initialAccessTokenSchema = z
  .strictObject({ id: z.string(), uses_left: z.int(), policy: policySchema, expires_at: timestampSchema, created_at: timestampSchema })
  .meta({ id: "InitialAccessToken" });

/** The response that creates an initial access token. No other response contains the token. */
export const newInitialAccessTokenSchema = initialAccessTokenSchema.extend({ token: z.string() }).meta({ id: "NewInitialAccessToken" });

/** Converts a row to the Management API format. */
export function toInitialAccessToken(row: Row<"initial_access_tokens">): z.infer<typeof initialAccessTokenSchema> {
  return {
    id: row.id,
    uses_left: row.uses_left,
    policy: row.redirect_hosts.length === 0 ? {} : { redirect_hosts: [...row.redirect_hosts] },
    expires_at: toTimestamp(row.expires_at),
    created_at: toTimestamp(row.created_at),
  };
}

/**
 * Requires that redirect URIs have one of these hosts. A custom scheme has no host in this sense, because any program on
 * a device can register the scheme.
 * @param hosts an empty list allows all redirect URIs.
 * @throws {PosternError} `invalid_redirect_uri`.
 */
export function checkRedirectHosts(uris: readonly string[], hosts: readonly string[]): void {
  const refused = hosts.length === 0 ? undefined : uris.find((uri) => !/^https?:/i.test(uri) || !hosts.includes(new URL(uri).hostname));
  if (refused === undefined) return;
  throw new PosternError("invalid_redirect_uri", `'redirect_uris': '${refused}' must have a host that the initial access token allows`);
}
