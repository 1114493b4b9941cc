import { createHash } from "node:crypto";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { obtainTokens, type App, type TestAccount } from "../support/flow.ts";
import type { ApiResponse, TestOptions } from "../support/postern.ts";
import { openFederation, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import { showSections } from "./page.ts";

export const clientCallback = "https://app.example.test/callback";
const verifier = "v".repeat(64);
export const connectScope = "openid create:me:connected_accounts read:me:connected_accounts";
export const connectAudience = "https://id.example.test/me/";

/** A link that a client began. */
export interface BegunLink {
  readonly authSession: string;
  /** The URL with the ticket, which the browser opens. */
  readonly url: string;
}

/** A service whose clients connect accounts for Ada, with her browser and token. */
export interface ConnectScene {
  readonly federation: Federation;
  readonly service: Federation["service"];
  readonly connection: JsonBody;
  readonly browser: Browser;
  /** Ada's access token, with which the requests are sent by default. */
  readonly token: string;
  readonly atProvider: TestAccount;
  tokenFor(account: TestAccount, app?: App, own?: Browser): Promise<string>;
  connectReply(body?: object, bearer?: string): Promise<ApiResponse>;
  connect(body?: object, bearer?: string): Promise<BegunLink>;
  /** Opens the ticket and signs in at the provider. @returns the URL of the callback. */
  signIn(begun: BegunLink): Promise<string>;
  completeReply(body: object, bearer?: string): Promise<ApiResponse>;
}

/** Opens a {@link ConnectScene}. */
export async function openConnectScene(options: TestOptions = {}): Promise<ConnectScene> {
  const federation = await openFederation(options);
  const { service } = federation;
  const connection = await federation.connect();
  await showSections(service, { linked_accounts: "shown" });
  const browser = service.browser();
  const tokenFor = async (account: TestAccount, app = service.spa, own?: Browser): Promise<string> =>
    (await obtainTokens(service, app, account, { audience: connectAudience, scope: connectScope }, own)).access;
  const token = await tokenFor(service.ada, service.spa, browser);
  const post = (path: string, body: object, bearer = token): Promise<ApiResponse> =>
    service.call("POST", `/me/v1/connected-accounts/${path}`, { token: bearer, body });
  const connectReply = (body = {}, bearer = token): Promise<ApiResponse> =>
    post(
      "connect",
      {
        connection: "fieldnotes",
        redirect_uri: clientCallback,
        state: "app-state",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        ...body,
      },
      bearer,
    );
  const atProvider = await federation.provider.addUser("ada@people.example");
  return {
    federation,
    service,
    connection,
    browser,
    token,
    atProvider,
    tokenFor,
    connectReply,
    async connect(body, bearer) {
      const reply = jsonBody(await connectReply(body, bearer), 201);
      const parameters = jsonBody({ status: 200, body: reply["connect_params"], headers: new Headers() });
      const ticket = encodeURIComponent(stringMember(parameters, "ticket"));
      return { authSession: stringMember(reply, "auth_session"), url: `${stringMember(reply, "connect_uri")}?ticket=${ticket}` };
    },
    signIn: async ({ url }) => submitProviderSignIn(federation, connectLocation(await browser.get(url)), atProvider),
    completeReply: (body, bearer) => post("complete", body, bearer),
  };
}

/** The body with which a client completes a link. */
export const completionOf = ({ authSession }: BegunLink, code = ""): { readonly [name: string]: string } => ({
  auth_session: authSession,
  connect_code: code,
  redirect_uri: clientCallback,
  code_verifier: verifier,
});

export const connectLocation = (response: Response): string => response.headers.get("location") ?? "";

/** The parameters that the client receives; an empty object if the browser is not at the client. */
export function receivedIn(response: Response): { readonly [name: string]: string } {
  const location = connectLocation(response);
  return location.startsWith(`${clientCallback}?`) ? Object.fromEntries(new URL(location).searchParams) : {};
}
