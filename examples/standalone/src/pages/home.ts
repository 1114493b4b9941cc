import type { DemoView } from "../demo/demo.ts";
import { demoSection } from "./demo.ts";
import { document, html, type Page } from "./page.ts";

/** What the first page tells. No secret: whoever reaches the server can read it. */
export interface HomeFacts {
  readonly issuer: string;
  readonly basePath: string;
  readonly tenantId: string;
  readonly managementClientId: string;
  readonly spaClientId: string;
  readonly webClientId: string;
}

/** The page at the issuer's own address. */
export function homePage({ issuer, basePath, tenantId, managementClientId, spaClientId, webClientId }: HomeFacts, demo: DemoView): Page {
  const links: readonly (readonly [path: string, name: string, about: string])[] = [
    ["dev/inbox", "Inbox", "every mail and text message that this server would have sent"],
    [".well-known/openid-configuration", "Discovery", "what OpenID Connect clients begin with"],
    [".well-known/jwks.json", "Keys", "what tokens are verified with"],
    ["api/v2/spec", "Management API", "its OpenAPI document"],
    [".well-known/openapi.json", "Everything", "the OpenAPI document of all routes"],
  ];
  const curl = [
    `curl -s ${issuer}oauth/token \\`,
    "  -d grant_type=client_credentials \\",
    `  -d client_id=${managementClientId} \\`,
    '  -d client_secret="$ADMIN_CLIENT_SECRET" \\',
    `  -d audience=${issuer}api/v2/`,
  ].join("\n");

  return document(
    "Postern",
    html`<h1>Postern</h1>
      <p class="lead">This identity service is running.</p>
      ${demoSection(demo, `${issuer}dev/demo/`)}
      <section>
        <h2>What runs here</h2>
        <dl>
          <dt>Issuer</dt>
          <dd><code>${issuer}</code></dd>
          <dt>Tenant</dt>
          <dd><code>${tenantId}</code></dd>
          <dt>Browser client</dt>
          <dd><code>${spaClientId}</code></dd>
          <dt>Web client</dt>
          <dd><code>${webClientId}</code></dd>
        </dl>
      </section>
      <section>
        <h2>Look around</h2>
        <ul>
          ${links.map(([path, name, about]) => html`<li><a href="${basePath}${path}">${name}</a> <span class="soft">${about}</span></li>`)}
        </ul>
      </section>
      <section>
        <div class="row">
          <h2>Get a token for the Management API</h2>
          <button type="button" data-copies="curl" hidden>Copy</button>
        </div>
        <pre tabindex="0" aria-label="Command"><code id="curl">${curl}</code></pre>
        <p class="soft">The secret stands in what the server printed as it started.</p>
      </section>`,
    true,
  );
}
