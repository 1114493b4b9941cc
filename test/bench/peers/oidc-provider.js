import { createPrivateKey } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";
import { facts, ready } from "./facts.js";

// oidc-provider keeps its storage in memory. These operations store nothing.
const keys = Object.entries(facts.keys).map(([alg, { kid, privateKey }]) => {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return { ...key.export({ format: "jwk" }), kid, alg, use: "sig" };
});

const provider = new Provider(facts.issuer, {
  jwks: { keys },
  clients: [
    {
      client_id: "bench",
      client_secret: facts.secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: "client_secret_post",
    },
  ],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: "read write",
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: 86_400,
        jwt: { sign: { alg: resource.includes("es256") ? "ES256" : "RS256" } },
      }),
    },
  },
});

const listener = provider.callback();
ready(createServer((request, response) => void listener(request, response)));
