import * as z from "zod";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import { PosternError } from "../../errors.ts";
import { passkeyAuthentication, signInToNewAccount, signInWithPasskey } from "../../identity/login/passkey-login.ts";
import type { SignInResult } from "../../identity/login/sign-in.ts";
import { signUp } from "../../identity/users/sign-up.ts";
import { verifyRegistration } from "../../identity/webauthn/registration.ts";
import type { RelyingParty } from "../../identity/webauthn/relying-party.ts";
import { auditClient, auditConnection } from "../../logs/audit.ts";
import { keyResponseField, parseKeyResponse } from "../../login/steps/webauthn/key-response.ts";
import { passkeysEnabled } from "../../identity/connections/passkey-settings.ts";
import { invalidSignUp, userIsBlocked } from "../../model/sdk-texts.ts";
import { invalidBody } from "../../model/settings.ts";
import type { Row } from "../../store/schema.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { sendSignUpMail } from "../dbconnections/signup-mail.ts";
import { openPasskeyAuthSession, unknownAuthSession, type PasskeyAuthSession } from "../passkey/auth-session.ts";
import { addNewMember, requireAssignedMembership } from "../passkey/membership.ts";
import { relyingPartyFor, requestedOrganization } from "../passkey/place.ts";
import { newPasskeyOf } from "../passkey/register.ts";
import { grant } from "./grant.ts";
import { requireSession, sessionWithoutBrowser, userTokenResponse } from "./user-token-response.ts";
import { audienceParameter, organizationParameter, resourceParameter, scopeParameter } from "./target-parameters.ts";

const parameters = z.object({
  auth_session: z
    .string()
    .min(1)
    .max(65_536)
    .meta({ description: "The `auth_session` that `/passkey/register` or `/passkey/challenge` returned" }),
  authn_response: z.union([z.looseObject({}), keyResponseField.unwrap()]).meta({
    description:
      "The authenticator's response: `toJSON()` of the result of `navigator.credentials.create()` or `get()`, as an object in JSON or as JSON text in a form",
    // The schema accepts any object, so that a malformed response is rejected like a wrong one.
    anyOf: [{ type: "object" }, { type: "string" }],
  }),
  realm: z
    .string()
    .min(1)
    .max(128)
    .exactOptional()
    .meta({ description: "If it is sent, it must name the connection of the `auth_session`" }),
  scope: scopeParameter,
  audience: audienceParameter,
  resource: resourceParameter,
  organization: organizationParameter.meta({
    description: "Default: the organization of the `auth_session`. If it has one, it must be the same",
  }),
});

type Parameters = z.infer<typeof parameters>;

/**
 * Exchanges the response of an authenticator for tokens. Auth0 defines this grant. After `/passkey/register` it creates
 * the account, after `/passkey/challenge` it signs in to an existing one.
 */
export const passkeyGrant = grant({ failureEvent: "f", parameters })(async (sent, context) => {
  const { tenant, client } = context;
  if (!client.record.is_first_party) throw new PosternError("unauthorized_client", "passkeys require a first-party client");
  const session = await openPasskeyAuthSession(tenant, client, sent.auth_session);
  const place = await findPlace(context, session, sent);
  const audience = await requestedAudience(tenant, sent);
  // The API is resolved before the challenge is used, so that a request for an unknown API leaves the response valid.
  await resolveApi(tenant, audience);
  const response = typeof sent.authn_response === "string" ? parseKeyResponse(sent.authn_response) : sent.authn_response;
  const { user, started, recorded } = await (session.account === undefined
    ? signIn(context, session, place, response)
    : createAccount(context, { ...session, account: session.account }, place, response));
  const organization = place.organization?.id;
  const tokens = { scope: sent.scope, audience, ...(organization !== undefined && { organization }) };
  const { session: begun } = await requireSession(context, started, tokens);
  return userTokenResponse(context, { user, session: begun, recorded, ...tokens, protocol: "oauth2-webauthn" });
});

/** The connection, the relying party and the organization of a request for tokens. */
interface GrantPlace {
  readonly connection: Row<"connections">;
  readonly relyingParty: RelyingParty;
  readonly organization: Row<"organizations"> | undefined;
}

/**
 * Returns the connection, the relying party and the organization of a request. They are read again, because they may have
 * changed since the `auth_session` was issued.
 * @throws {PosternError} `invalid_grant` if the client no longer offers passkeys for the connection; `invalid_request` if
 * the request names another connection or organization than the first request.
 */
async function findPlace({ tenant, client }: ClientContext, session: PasskeyAuthSession, sent: Parameters): Promise<GrantPlace> {
  const { connection_id: connectionId, organization_id: first } = session;
  const organization = await requestedOrganization(tenant, client, sent.organization ?? first);
  if (first !== undefined && organization?.id !== first)
    throw new PosternError("invalid_request", "'organization' must be that of the request that returned the auth_session");
  const [connection, isOffered, relyingParty] = await Promise.all([
    tenant.connections.byId(connectionId),
    tenant.connections.offers(client, connectionId, organization?.id),
    relyingPartyFor(tenant, client),
  ]);
  if (connection === undefined || !isOffered || relyingParty === undefined || !passkeysEnabled(connection)) throw unknownAuthSession();
  if (sent.realm !== undefined && sent.realm !== connection.name)
    throw new PosternError("invalid_request", "'realm' must be that of the request that returned the auth_session");
  return { connection, relyingParty, organization };
}

type StartedGrant = Awaited<ReturnType<ReturnType<typeof sessionWithoutBrowser>["start"]>>;
type SignedIn = Pick<SignInResult<StartedGrant>, "user" | "started" | "recorded">;

/** @throws {PosternError} `invalid_grant`, `access_denied` or `TOO_MANY_REQUESTS`. */
async function signIn(context: ClientContext, { id }: PasskeyAuthSession, place: GrantPlace, response: unknown): Promise<SignedIn> {
  const result = await signInWithPasskey(context.tenant, {
    client: context.client,
    connections: [place.connection],
    authentication: passkeyAuthentication(place.relyingParty, id),
    response,
    sessionAt: (connection) => sessionWithoutBrowser(context, "passkey", connection),
  });
  switch (result.kind) {
    case "signed-in":
      return result;
    case "rejected":
      throw rejectedResponse();
    case "blocked":
      throw new PosternError("access_denied", userIsBlocked);
    case "refused":
      throw result.error;
  }
}

/**
 * Creates the account with the passkey. As at `/dbconnections/signup`, the error for existing accounts does not name the
 * identifier, and the owner receives a mail.
 * @throws {PosternError} `invalid_grant`, `access_denied` or `invalid_request`.
 */
async function createAccount(
  context: ClientContext,
  session: PasskeyAuthSession & Required<Pick<PasskeyAuthSession, "account">>,
  { connection, relyingParty, organization }: GrantPlace,
  response: unknown,
): Promise<SignedIn> {
  const { tenant, client } = context;
  const { account } = session;
  if (organization !== undefined) await requireAssignedMembership(tenant, connection.id, organization.id);
  const verified = await verifyRegistration(tenant, newPasskeyOf(connection, relyingParty, session), response);
  if (verified.outcome === "rejected") {
    const { reason, detail } = verified;
    await tenant.audit({
      type: "passkey_challenge_failed",
      description: "The passkey of a new account was rejected.",
      details: { reason, ...(detail !== undefined && { detail }) },
      ...auditClient(client),
      ...auditConnection(connection),
    });
    throw rejectedResponse();
  }
  const { profile, metadata, id } = account;
  const sent = { ...profile, ...(metadata !== undefined && { user_metadata: metadata }) };
  const result = await signUp(tenant, { connection, client, sent, passkey: verified.values, formId: id });
  switch (result.kind) {
    case "closed":
    case "denied":
      throw new PosternError("access_denied", result.message);
    case "invalid":
      throw invalidBody(result.fault.message);
    case "refused":
      throw new Error("a sign-up without a password has no password to refuse");
    case "taken":
      await Promise.all([result.recorded, sendSignUpMail(tenant, client, connection, result)]);
      throw new PosternError("invalid_grant", invalidSignUp, { status: 403 });
    case "created": {
      await Promise.all([result.recorded, sendSignUpMail(tenant, client, connection, result)]);
      if (organization !== undefined) await addNewMember(tenant, result.user, organization);
      const start = sessionWithoutBrowser(context, "passkey", connection);
      const signedIn = await signInToNewAccount(tenant, { client, connection, user: result.user, session: start });
      if (signedIn === undefined) throw rejectedResponse();
      return signedIn;
    }
  }
}

/** The description is the same for every reason, so that it does not reveal whether a passkey exists. */
function rejectedResponse(): PosternError {
  return new PosternError("invalid_grant", "the passkey was rejected. Request a new challenge before retrying", { status: 403 });
}
