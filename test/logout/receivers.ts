import { createRemoteJWKSet, customFetch, jwtVerify, type JWTHeaderParameters, type JWTPayload } from "jose";
import { openService, type App, type LoginService } from "../support/flow.ts";
import { issuer, type TestOptions } from "../support/postern.ts";

/** A logout token that a client received. */
export interface ReceivedLogout {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** The token in the body. */
  readonly token: string;
}

/** Responds for a client. The default response has the status 204. */
export type Respond = (received: ReceivedLogout, signal: AbortSignal) => Response | Promise<Response>;

/** The setting `oidc_logout` of a client. */
interface LogoutSetting {
  readonly backchannel_logout_urls: string[];
  readonly backchannel_logout_initiators?: { readonly mode?: string; readonly selected_initiators?: readonly string[] };
  readonly backchannel_logout_session_metadata?: { readonly include: boolean };
}

/** A {@link LoginService} whose clients can receive logout tokens. */
export interface LogoutService extends LoginService {
  /** Every request to a logout URL, in order. */
  readonly received: ReceivedLogout[];
  setResponse(respond: Respond): void;
  /** Sends a request to a receiver, for another process. */
  fetchOfReceivers(request: Request): Promise<Response>;
  /** Registers a client with logout URLs. */
  receiver(name: string, settings?: Partial<LogoutSetting>): Promise<App>;
  deliver(): ReturnType<LoginService["postern"]["jobs"]["deliverEvents"]>;
  /** Returns the requests since the last call. */
  take(): readonly ReceivedLogout[];
  /** Verifies the signature of a token with the published keys. */
  verify(token: string): Promise<{ readonly payload: JWTPayload; readonly protectedHeader: JWTHeaderParameters }>;
}

/** The logout URL of the receiver with this name. */
export const logoutUrl = (name: string): string => `https://${name}.example.test/backchannel-logout`;

/** Opens a {@link LogoutService}. */
export async function openLogoutService(options: TestOptions = {}): Promise<LogoutService> {
  const received: ReceivedLogout[] = [];
  let respond: Respond = () => new Response(null, { status: 204 });
  const fetchOfReceivers: LogoutService["fetchOfReceivers"] = async (request) => {
    const body = await request.clone().text();
    const token = new URLSearchParams(body).get("logout_token") ?? "";
    const one = { url: request.url, headers: request.headers, body, token };
    received.push(one);
    return respond(one, request.signal);
  };
  const service = await openService({ logger: { log: () => {} }, network: { fetch: fetchOfReceivers }, ...options });
  const jwks = createRemoteJWKSet(new URL(".well-known/jwks.json", issuer), {
    [customFetch]: (url: string, init: RequestInit) => service.postern.fetch(new Request(url, init)),
    cooldownDuration: 0,
  });
  let taken = 0;
  return {
    ...service,
    received,
    fetchOfReceivers,
    setResponse: (next) => void (respond = next),
    receiver: async (name, settings = {}) => {
      const oidc_logout = { backchannel_logout_urls: [logoutUrl(name)], ...settings };
      const app = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token"], name });
      const changed = await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { oidc_logout });
      if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
      return app;
    },
    deliver: () => service.postern.jobs.deliverEvents(),
    take: () => {
      const since = received.slice(taken);
      taken = received.length;
      return since;
    },
    verify: (token) => jwtVerify(token, jwks, { currentDate: new Date(service.clock.now()) }),
  };
}
