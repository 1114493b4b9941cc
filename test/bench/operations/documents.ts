import type { Operation } from "../operation.ts";

const document = (name: "discovery" | "jwks", path: `/${string}`, peers: Operation["requests"]): Operation => ({
  name,
  target: 2,
  constant: true,
  requests: { bare: () => ({ method: "GET", path }), postern: () => ({ method: "GET", path }), ...peers },
  bare: ({ facts, send }) => ({
    route: `GET ${path}`,
    handle: (_request, response) =>
      send(response, 200, facts.documents[name], { "cache-control": "public, max-age=60", etag: `"${name}"` }),
  }),
});

export const discoveryDocument = document("discovery", "/.well-known/openid-configuration", {
  "oidc-provider": () => ({ method: "GET", path: "/.well-known/openid-configuration" }),
  "better-auth": () => ({ method: "GET", path: "/api/auth/.well-known/openid-configuration" }),
});

export const jwksDocument = document("jwks", "/.well-known/jwks.json", {
  "oidc-provider": () => ({ method: "GET", path: "/jwks" }),
  "better-auth": () => ({ method: "GET", path: "/api/auth/jwks" }),
});
