import type { Postern } from "@postern/core";
import { allowInsecureRequests, ClientSecretPost, customFetch, discovery, None, type Configuration } from "openid-client";

/** The demo clients: a public one with rotating refresh tokens, a confidential one, and on a developer's machine a public one that offers the demo's identity provider as well. */
export type ClientName = "spa" | "web" | "social";

/** What one needs to be one of them. */
export interface DemoClients {
  readonly spa: { readonly id: string };
  readonly web: { readonly id: string; readonly secret: string };
  readonly social: { readonly id: string };
}

/** The client that offers the demo's identity provider. The others keep what their environment and the Management API say. */
export const socialClientId = "demo-social-login";

export function isClientName(name: string): name is ClientName {
  return name === "spa" || name === "web" || name === "social";
}

/**
 * The clients as openid-client knows them. It reads the discovery document and asks for tokens as any app's server would, except that
 * its requests do not leave this process: the public address may be one that only the proxy in front can reach.
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
        // What it sends are forms, and nothing else.
        [customFetch]: (url, { body, ...options }) => inProcess(url, { ...options, body: body instanceof URLSearchParams ? body : null }),
        // Plain http is for trying things out; whether this server is reached by https is the issuer's to say.
        execute: postern.issuer.startsWith("http:") ? [allowInsecureRequests] : [],
      },
    );
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
    return opening;
  };
}
