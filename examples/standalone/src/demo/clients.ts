import type { Postern } from "@postern/core";
import { allowInsecureRequests, ClientSecretPost, customFetch, discovery, None, type Configuration } from "openid-client";

/**
 * The demo clients: a public one with rotating refresh tokens, a confidential one, and on a developer's machine a
 * public one that also offers the demo's identity provider.
 */
export type ClientName = "spa" | "web" | "social";

/** The ids of the demo clients, and the secret of the confidential one. */
export interface DemoClients {
  readonly spa: { readonly id: string };
  readonly web: { readonly id: string; readonly secret: string };
  readonly social: { readonly id: string };
}

/**
 * The client that offers the demo's identity provider. The environment and the Management API configure the other
 * clients.
 */
export const socialClientId = "demo-social-login";

export function isClientName(name: string): name is ClientName {
  return name === "spa" || name === "web" || name === "social";
}

/**
 * Returns a function that creates the openid-client configuration for a demo client. openid-client reads the discovery
 * document and requests tokens, as on the server of any app. Its requests stay in this process, because the public URL
 * may be reachable only through a proxy.
 */
export function openClients(postern: Postern, clients: DemoClients): (name: ClientName) => Promise<Configuration> {
  const opened = new Map<ClientName, Promise<Configuration>>();
  const inProcess = (url: string, options: RequestInit): Promise<Response> => postern.fetch(new Request(url, options));
  return (name) => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const secret = name === "web" ? clients.web.secret : undefined;
    const opening = discovery(
      new URL(postern.issuer),
      clients[name].id,
      undefined,
      secret === undefined ? None() : ClientSecretPost(secret),
      {
        // openid-client sends no other bodies than forms.
        [customFetch]: (url, { body, ...options }) => inProcess(url, { ...options, body: body instanceof URLSearchParams ? body : null }),
        // Plain http is only for development. The server uses https if the issuer does.
        execute: postern.issuer.startsWith("http:") ? [allowInsecureRequests] : [],
      },
    );
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  };
}
