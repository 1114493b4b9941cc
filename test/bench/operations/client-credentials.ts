import { form, json, type Facts, type Operation } from "../operation.ts";

const body = (clientId: string, { secret, audience }: Facts): string =>
  JSON.stringify({ grant_type: "client_credentials", client_id: clientId, client_secret: secret, audience });

/** One signature and one audit event. */
const clientCredentials = (alg: "RS256" | "ES256", target: number): Operation => ({
  name: `client_credentials ${alg}`,
  target,
  constant: true,
  requests: {
    bare: (facts) => ({ method: "POST", path: "/oauth/token", headers: json, body: body(`bench-${alg}`, facts) }),
    postern: (facts) => ({ method: "POST", path: "/oauth/token", headers: json, body: body(`bench-${alg}`, facts) }),
    "oidc-provider": ({ secret }) => ({
      method: "POST",
      path: "/token",
      ...form({
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
        ...form({
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
    bareGrant: ({ facts, audit, sign }) => {
      const scope = "read write remove";
      return {
        type: "client_credentials",
        async exchange(request, { client_id: clientId = "", audience = "" }) {
          const algorithm = clientId === "bench-ES256" ? "ES256" : "RS256";
          const iat = Math.floor(Date.now() / 1000);
          const token = await sign(algorithm, {
            iss: facts.issuer,
            sub: `${clientId}@clients`,
            aud: audience,
            iat,
            exp: iat + 86_400,
            scope,
            azp: clientId,
            gty: "client-credentials",
            tenant_id: algorithm === "RS256" ? "main" : "es256",
          });
          audit(request, { type: "seccft", client_id: clientId, audience, scope });
          return { access_token: token, token_type: "Bearer", expires_in: 86_400, scope };
        },
      };
    },
  }),
});

export const clientCredentialsRs256 = clientCredentials("RS256", 1.25);
export const clientCredentialsEs256 = clientCredentials("ES256", 1.6);
