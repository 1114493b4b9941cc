import type { DemoView } from "../demo/demo.ts";
import type { ShownUser } from "../demo/first-user.ts";
import { demoSection } from "./demo.ts";
import { html, type Markup } from "./html.ts";
import { layOut, type Page } from "./layout.ts";
import { copiedList, copyButton } from "./parts.ts";

/** The content of the home page. The only secret is the password of {@link ShownUser}. */
export interface HomeFacts {
  readonly issuer: string;
  readonly basePath: string;
  readonly tenantId: string;
  readonly managementClientId: string;
  readonly spaClientId: string;
  readonly webClientId: string;
  readonly user: ShownUser;
  /** Whether the demo has an identity provider. */
  readonly hasProvider: boolean;
  /** The number of messages in the inbox. */
  readonly messages: number;
}

/** Renders the home page at the issuer's URL. */
export function homePage(facts: HomeFacts, demo: DemoView): Page {
  const { issuer, basePath, tenantId, managementClientId, spaClientId, webClientId, user, messages, hasProvider } = facts;
  const links: readonly Link[] = [
    ["admin/", "Admin console", "manage users, apps and logs; sign in with the account above"],
    ["dev/inbox", "Inbox", `emails that this server would have sent (${messages || "none yet"})`],
    ...publicLinks,
  ];
  const curl = [
    `curl -s ${issuer}oauth/token \\`,
    "  -d grant_type=client_credentials \\",
    `  -d client_id=${managementClientId} \\`,
    '  -d client_secret="$ADMIN_CLIENT_SECRET" \\',
    `  -d audience=${issuer}api/v2/`,
  ].join("\n");

  return layOut({
    title: "Postern",
    body: html`<h1>Postern</h1>
      <p class="lead">This identity service is running, for the tenant <strong>${tenantId}</strong>.</p>
      ${demoSection(demo, `${issuer}dev/demo/`, user, hasProvider)}
      <section>
        <h2>Connect your own app</h2>
        ${copiedList([
          { name: "Issuer", id: "issuer", value: issuer },
          { name: "Browser client", id: "spa", value: spaClientId },
          { name: "Web client", id: "web", value: webClientId },
        ])}
        <p class="soft">
          Start the server with <code>CALLBACK_URLS=http://localhost:5173/callback</code>, or the callback URL of your app, to register it
          for these two clients.
        </p>
      </section>
      <section>
        <div class="row">
          <h2>Get a token for the Management API</h2>
          ${copyButton("curl", "the command")}
        </div>
        <pre tabindex="0" aria-label="Command"><code id="curl">${curl}</code></pre>
        <p class="soft">
          First set <code>ADMIN_CLIENT_SECRET</code>. The server printed the secret, or the place where it is stored, when it started.
        </p>
      </section>
      ${lookAround(links, basePath)}`,
  });
}

/**
 * Renders the home page without the demo and the inbox. It contains only information that the discovery document also
 * contains.
 */
export function plainHomePage(basePath: string): Page {
  return layOut({
    title: "Postern",
    body: html`<h1>Postern</h1>
      <p class="lead">This identity service is running.</p>
      ${lookAround(publicLinks, basePath)}`,
  });
}

type Link = readonly [path: string, name: string, about: string];

const publicLinks: readonly Link[] = [
  [".well-known/openid-configuration", "Discovery", "the discovery document of OpenID Connect"],
  [".well-known/jwks.json", "Keys", "the keys that verify tokens"],
  ["api/v2/spec", "Management API", "its OpenAPI document, with the scopes of each route"],
  [".well-known/openapi.json", "Auth API", "the OpenAPI document of everything else"],
];

function lookAround(links: readonly Link[], basePath: string): Markup {
  return html`<section>
    <h2>Look around</h2>
    <ul>
      ${links.map(([path, name, about]) => html`<li><a href="${basePath}${path}">${name}</a> <span class="soft">${about}</span></li>`)}
    </ul>
  </section>`;
}
