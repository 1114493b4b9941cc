import { json, type Facts, type Operation } from "../operation.ts";

const body = (clientId: string, { secret, audience }: Facts): string =>
  JSON.stringify({ grant_type: "client_credentials", client_id: clientId, client_secret: secret, audience });

const form = (parameters: { readonly [name: string]: string }): string => new URLSearchParams(parameters).toString();

/** One signature and one audit row. */
const clientCredentials = (alg: "RS256" | "ES256", target: number): Operation => ({
  name: `client_credentials ${alg}`,
  target,
  constant: true,
  asks: {
    bare: (facts) => ({ method: "POST", path: "/oauth/token", headers: json, body: body(`bench-${alg}`, facts) }),
    postern: (facts) => ({ method: "POST", path: "/oauth/token", headers: json, body: body(`bench-${alg}`, facts) }),
    "oidc-provider": ({ secret }) => ({
      method: "POST",
      path: "/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form({
        grant_type: "client_credentials",
        client_id: "bench",
        client_secret: secret,
        resource: `https://${alg.toLowerCase()}.example/`,
        scope: "read write",
      }),
    }),
    ...(alg === "RS256" && {
      "better-auth": ({ audience, peer }) => ({
        method: "POST",
        path: "/api/auth/oauth2/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: form({
          grant_type: "client_credentials",
          client_id: peer?.["clientId"] ?? "",
          client_secret: peer?.["clientSecret"] ?? "",
          resource: audience,
          scope: "read write",
        }),
      }),
    }),
  },
  ...(alg === "RS256" && {
    bare: ({ facts, audit, hash, sign, send }) => {
      const secretHash = hash(facts.secret);
      const scope = "read write remove";
      return {
        route: "POST /oauth/token",
        async handle(request, response, text) {
          const asked = JSON.parse(text) as { readonly client_id: string; readonly client_secret: string; readonly audience: string };
          const algorithm = asked.client_id === "bench-ES256" ? "ES256" : "RS256";
          if (hash(asked.client_secret) !== secretHash) return send(response, 401, "{}");
          const iat = Math.floor(Date.now() / 1000);
          const token = await sign(algorithm, {
            iss: facts.issuer,
            sub: `${asked.client_id}@clients`,
            aud: asked.audience,
            iat,
            exp: iat + 86_400,
            scope,
            azp: asked.client_id,
            gty: "client-credentials",
            tenant_id: algorithm === "RS256" ? "main" : "es256",
          });
          audit(request, { type: "seccft", client_id: asked.client_id, audience: asked.audience, scope });
          send(response, 200, JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 86_400, scope }));
        },
      };
    },
  }),
});

export const clientCredentialsRs256 = clientCredentials("RS256", 1.25);
export const clientCredentialsEs256 = clientCredentials("ES256", 1.6);
