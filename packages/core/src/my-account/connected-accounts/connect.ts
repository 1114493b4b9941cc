import * as z from "zod";
import { isCallback } from "../../authorization/callbacks.ts";
import { PosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { connectLifetime, connectPath, startConnect } from "../../login/upstream/connect-account.ts";
import { meRoute } from "../me-route.ts";
import { requireConnect, requireLinkable } from "./require-connect.ts";

const text = z.string().max(255).exactOptional();

/** The maximum characters of the scopes, joined with spaces. */
const maximumScope = 2048;

const parametersSchema = z.object({
  acr_values: text,
  display: text,
  login_hint: text,
  max_age: z.int().nonnegative().exactOptional(),
  prompt: z.enum(["login", "consent", "select_account"]).exactOptional(),
  ui_locales: text,
});

const bodySchema = z
  .object({
    connection: z.string().min(1).max(128).meta({ description: "The name of a connection that the account page offers for a link" }),
    redirect_uri: z.url().max(2048).meta({ description: "One of the client's callbacks" }),
    state: z.string().max(2048).exactOptional().meta({ description: "Returned to `redirect_uri` unchanged" }),
    code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    code_challenge_method: z.literal("S256"),
    scopes: z
      .array(z.string().min(1).max(255))
      .max(100)
      .refine((scopes) => scopes.join(" ").length <= maximumScope, `must have at most ${maximumScope} characters in total`)
      .exactOptional()
      .meta({ description: `Scopes of the identity provider, at most ${maximumScope} characters in total` }),
    authorization_params: parametersSchema.exactOptional().meta({
      description:
        "For the identity provider. `acr_values` and `display` are sent if `upstream_params` of the connection has an alias for them. Other members are ignored",
    }),
  })
  .meta({ id: "ConnectMyAccount" });

const replySchema = z
  .strictObject({
    connect_uri: z.url().meta({ description: "The browser opens this URL with the query parameters in `connect_params`" }),
    connect_params: z.strictObject({ ticket: z.string() }),
    auth_session: z.string().meta({ description: "Required to complete the link. Do not send it to the browser's URL" }),
    expires_in: z.int().meta({ description: "Seconds in which the link must be completed" }),
  })
  .meta({ id: "ConnectingMyAccount" });

/** Starts to link an account at an identity provider. Nothing is linked before the client completes the link. */
export const startConnectedAccount = meRoute({
  method: "POST",
  path: "/me/v1/connected-accounts/connect",
  summary: "Start to link an account at an identity provider",
  description:
    "Requires a first-party client that an administrator created, that the user authenticated within the last 15 minutes, and that the tenant shows the section `linked_accounts` of the account page. The browser returns to `redirect_uri` with `connect_code` and `state`, or with `error`, `error_description` and `state`.",
  scopes: ["create:me:connected_accounts"],
  body: bodySchema,
  responses: {
    201: replySchema,
    400: {
      error:
        "invalid_request: 'redirect_uri' is no callback of the client, the connection is not offered for a link, or the parameters are too long; access_denied: changes are paused",
    },
    401: { error: "invalid_token: the token is not valid, or the user must authenticate again" },
    403: { error: "insufficient_scope, forbidden" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: public clients started too many logins from this IP address" },
  },
})(async ({ body }, context) => {
  const { tenant, client, mfaToken } = context;
  const { user } = mfaToken;
  await requireConnect(context);
  const { redirect_uri, state, code_challenge, scopes = [], authorization_params: parameters = {} } = body;
  if (!isCallback(client, redirect_uri)) throw new PosternError("invalid_request", "'redirect_uri' must be one of the client's callbacks");
  const connection = await requireLinkable(context, ({ name }) => name === body.connection);
  const { prompt, ...others } = parameters;
  const started = await startConnect(tenant, { user, client }, connection, {
    ...others,
    redirect_uri,
    code_challenge,
    ...(state !== undefined && { state }),
    prompt: prompt === undefined ? [] : [prompt],
    ...(scopes.length > 0 && { connection_scope: scopes.join(" ") }),
  });
  const { ticket, authSession: auth_session } = started;
  const connect_uri = tenant.urls.urlFor(connectPath);
  return new Reply({ connect_uri, connect_params: { ticket }, auth_session, expires_in: connectLifetime / 1000 }, { status: 201 });
});
