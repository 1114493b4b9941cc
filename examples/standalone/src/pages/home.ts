import type { DemoView } from "../demo/demo.ts";
import type { ShownUser } from "../demo/first-user.ts";
import { demoSection } from "./demo.ts";
import { html, type Markup } from "./html.ts";
import { layOut, type Page } from "./layout.ts";
import { copiedList, copyButton } from "./parts.ts";

/** What the first page tells. Of secrets, none but the password of {@link ShownUser}. */
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
  /** How many messages wait in the inbox. */
  readonly messages: number;
}

/** The page at the issuer's own address. */
export function homePage(facts: HomeFacts, demo: DemoView): Page {
  const { issuer, basePath, tenantId, managementClientId, spaClientId, webClientId, user, messages, hasProvider } = facts;
  const links: readonly Link[] = [
    ["dev/inbox", "Inbox", `the mail that this server would have sent (${messages || "none yet"})`],
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
          Start the server with <code>CALLBACK_URLS=http://localhost:5173/callback</code>, or wherever your app takes people back, and these
          two clients may send them there.
        </p>
      </section>
      <section>
        <div class="row">
          <h2>Get a token for the Management API</h2>
          ${copyButton("curl", "the command")}
        </div>
        <pre tabindex="0" aria-label="Command"><code id="curl">${curl}</code></pre>
        <p class="soft">
          The secret stands in what the server printed at its first start, and where that says. Put it into
          <code>ADMIN_CLIENT_SECRET</code> first.
        </p>
      </section>
      ${lookAround(links, basePath)}`,
  });
}

/** The same page for those who are not shown the demo and the inbox. It names nothing that discovery does not name. */
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
  [".well-known/openid-configuration", "Discovery", "what OpenID Connect clients begin with"],
  [".well-known/jwks.json", "Keys", "what tokens are verified with"],
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
