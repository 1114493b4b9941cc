import type { TLSSocket } from "node:tls";
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { obtainTokens, type App } from "../support/flow.ts";
import { issuer } from "../support/postern.ts";
import { listenTls } from "../support/tls.ts";
import { openLogoutService, type LogoutService } from "../logout/receivers.ts";

/** The rows of the certification suite of the OpenID Foundation for back-channel logout, over a real connection. */

interface Received {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly protocol: string | null;
  readonly cipher: string;
  readonly body: string;
}

const bye = "https://app.example.test/bye";

describe("oidcc-backchannel-rp-initiated-logout-discovery-endpoint-verification", () => {
  test("backchannel_logout_supported and backchannel_logout_session_supported are true", async () => {
    const { postern } = await openLogoutService();
    for (const document of ["openid-configuration", "oauth-authorization-server"]) {
      const metadata: unknown = await (await postern.fetch(new Request(`${issuer}.well-known/${document}`))).json();
      expect(metadata).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true });
    }
  });
});

describe("oidcc-backchannel-rp-initiated-logout", () => {
  let service: LogoutService;
  let app: App;
  let idToken: string;
  let received: Received[];
  let location: string | null;

  beforeAll(async () => {
    received = [];
    const receiver = await listenTls((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const socket = request.socket as TLSSocket;
        const { method, headers } = request;
        received.push({
          method,
          contentType: headers["content-type"],
          protocol: socket.getProtocol(),
          cipher: socket.getCipher().name,
          body,
        });
        response.writeHead(200).end();
      });
    });
    service = await openLogoutService({ network: { allowedPrivateAddresses: ["127.0.0.1", "::1"] } });
    app = await service.receiver("suite", { backchannel_logout_urls: [`${receiver.origin}/backchannel-logout`] });
    const settings = { allowed_logout_urls: [bye], jwt_configuration: { alg: "RS256" } };
    expect((await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, settings)).status).toBe(200);
    const browser = service.browser();
    ({ id: idToken } = await obtainTokens(service, app, service.ada, {}, browser));
    const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: bye, state: "st-7" });
    location = (await browser.get(`/oidc/logout?${query}`)).headers.get("location");
    expect(await service.deliver()).toMatchObject({ delivered: 1, failed: 0 });
    await receiver.close();
  });
  const token = (): string => new URLSearchParams(received[0]?.body).get("logout_token") ?? "";

  test("the logout ends at the redirect URI with the same state", () => {
    expect(location).toBe(`${bye}?state=st-7`);
  });

  test("the token is posted in a form, with no other field", () => {
    expect(received).toMatchObject([{ method: "POST", contentType: "application/x-www-form-urlencoded" }]);
    expect([...new URLSearchParams(received[0]?.body).keys()]).toEqual(["logout_token"]);
  });

  test("the signature is valid by the JWKS, with the algorithm of the ID token", async () => {
    const jwks = createRemoteJWKSet(new URL(".well-known/jwks.json", issuer), {
      [customFetch]: (url: string, init: RequestInit) => service.postern.fetch(new Request(url, init)),
    });
    const options = { issuer, audience: app.clientId, currentDate: new Date(service.clock.now()) };
    const { protectedHeader } = await jwtVerify(token(), jwks, options);
    expect(protectedHeader.alg).toBe("RS256");
  });

  test("iss, aud, iat, jti and events are as required", () => {
    const { iss, aud, iat = 0, jti, events } = decodeJwt(token());
    const now = service.clock.now() / 1000;
    expect({ iss, aud, jti }).toEqual({ iss: issuer, aud: app.clientId, jti: expect.stringMatching(/./) });
    expect(iat).toBeLessThanOrEqual(now);
    expect(iat).toBeGreaterThan(now - 86_400);
    expect(events).toEqual({ "http://schemas.openid.net/event/backchannel-logout": {} });
  });

  test("sub and sid equal those of the ID token, and there is no nonce", () => {
    const { sub, sid, nonce } = decodeJwt(token());
    expect({ sub, sid, nonce }).toEqual({ sub: decodeJwt(idToken).sub, sid: decodeJwt(idToken)["sid"], nonce: undefined });
  });

  test("the connection uses TLS 1.3, or TLS 1.2 with an authenticated cipher", () => {
    const [{ protocol, cipher } = { protocol: "", cipher: "" }] = received;
    expect(protocol === "TLSv1.3" || (protocol === "TLSv1.2" && /GCM|CHACHA20/.test(cipher))).toBe(true);
  });
});
