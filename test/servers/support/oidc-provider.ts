import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider, type ClientMetadata } from "oidc-provider";

/** An independent identity provider: `oidc-provider` from npm, over HTTP on this machine. */
export interface RealProvider {
  readonly issuer: string;
  close(): Promise<void>;
}

/**
 * Starts a provider. A user who signs in as `name` has the verified email address `<name>@people.example`. The password
 * is ignored.
 */
export async function startProvider(clients: readonly ClientMetadata[]): Promise<RealProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [...clients],
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
    cookies: { keys: ["only for tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@people.example`, email_verified: true, name: id }),
    }),
  });
  const listener = provider.callback();
  server.on("request", (request, response) => void listener(request, response));
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
