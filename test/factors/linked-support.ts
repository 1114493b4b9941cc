import { expect } from "vitest";
import { jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import type { TestAccount } from "../support/flow.ts";
import { managementAudience, type ApiResponse } from "../support/postern.ts";
import { openMfaService, otpGrant, type MfaService } from "./mfa-api-support.ts";
import { setPolicies } from "./support.ts";

const scope = "openid update:current_user_identities";

/** The tokens of a user who may link accounts. */
export interface UserTokens {
  readonly access: string;
  readonly id: string;
}

/** A service whose users may link their own accounts, with users who have authenticator apps. No policy requires a factor. */
export interface LinkingService extends MfaService {
  /** Adds a user who may link accounts, with this number of authenticator apps. The key of each is {@link appKey}. */
  addLinkingUser(email: string, apps?: number): Promise<TestAccount>;
  /** Signs in with the password alone. */
  weakTokens(account: TestAccount): Promise<UserTokens>;
  /** Signs in with the password and {@link appKey}. Advances the clock to the next time step. */
  strongTokens(account: TestAccount): Promise<UserTokens>;
  /** Signs in as {@link strongTokens}, waits, and refreshes the tokens. The access token is not for the Management API. */
  refreshedTokens(account: TestAccount, wait: string): Promise<UserTokens>;
  /** Links the account of an ID token to a user, as this user. */
  link(to: TestAccount, token: string, linkWith: string): Promise<ApiResponse>;
  /** Links an account to a user, as an administrator. */
  linkAsAdmin(to: TestAccount, account: TestAccount): Promise<ApiResponse>;
  /** @param token the token of the user. Default: that of an administrator. */
  unlink(from: TestAccount, account: TestAccount, token?: string): Promise<ApiResponse>;
  /** Returns the types of the user's factors as the Management API lists them, sorted. */
  factorsOf(account: TestAccount): Promise<readonly string[]>;
}

/** The key of each authenticator app. */
export const appKey = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

export const userPath = ({ userId }: Pick<TestAccount, "userId">): string => `/api/v2/users/${encodeURIComponent(userId)}`;

/** Opens a {@link LinkingService}. */
export async function openLinkingService(...options: Parameters<typeof openMfaService>): Promise<LinkingService> {
  const service = await openMfaService(...options);
  await setPolicies(service, []);
  const { manage } = service;
  const role = stringMember(await manage.create("/api/v2/roles", { name: "Links accounts" }), "id");
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:current_user_identities" }];
  await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
  const requested = { scope, audience: managementAudience };
  const passFactor = async (account: TestAccount, more: { readonly [name: string]: string }): Promise<JsonBody> => {
    await setPolicies(service, ["all-applications"]);
    const mfa_token = stringMember(await service.begin(account, more), "mfa_token");
    const granted = jsonBody(await service.grant(otpGrant, { mfa_token, otp: service.codeNow(appKey) }));
    await setPolicies(service, []);
    service.clock.advance("31s");
    return granted;
  };
  const link = (to: TestAccount, body: object, token: string | undefined): Promise<ApiResponse> =>
    token === undefined
      ? manage("POST", `${userPath(to)}/identities`, body)
      : service.call("POST", `${userPath(to)}/identities`, { token, body });
  return {
    ...service,
    async addLinkingUser(email, apps = 0) {
      const account = await service.addUser(email);
      await manage("POST", `/api/v2/roles/${role}/users`, { users: [account.userId] });
      for (let i = 0; i < apps; i++)
        await manage.create(`${userPath(account)}/authentication-methods`, { type: "totp", name: `app ${i}`, totp_secret: appKey });
      return account;
    },
    weakTokens: async (account) => tokensIn(jsonBody(await service.password(account, requested))),
    strongTokens: async (account) => tokensIn(await passFactor(account, requested)),
    async refreshedTokens(account, wait) {
      const refresh_token = stringMember(await passFactor(account, { scope: "openid offline_access" }), "refresh_token");
      service.clock.advance(wait);
      return tokensIn(jsonBody(await service.grant("refresh_token", { refresh_token })));
    },
    link: (to, token, linkWith) => link(to, { link_with: linkWith }, token),
    linkAsAdmin: (to, { userId }) => link(to, { provider: "auth0", user_id: userId }, undefined),
    unlink(from, { userId }, token) {
      const path = `${userPath(from)}/identities/auth0/${encodeURIComponent(userId)}`;
      return token === undefined ? manage("DELETE", path) : service.call("DELETE", path, { token });
    },
    async factorsOf(account) {
      return list(await manage("GET", `${userPath(account)}/authentication-methods`))
        .map((method) => stringMember(method, "type"))
        .toSorted();
    },
  };
}

function tokensIn(body: JsonBody): UserTokens {
  return { access: stringMember(body, "access_token"), id: stringMember(body, "id_token") };
}

/** Expects that an account is linked to a user. */
export function expectLinked(response: ApiResponse): void {
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 201, body: [{}, {}] });
}
