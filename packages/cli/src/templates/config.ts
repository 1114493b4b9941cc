/**
 * Returns the text of `postern.config.ts`, for every framework.
 * @param hasConsole whether the user of the development manages the tenant, to sign in to the admin console.
 */
export const configText = (
  hasConsole: boolean,
): string => `import { createPostern, parseKeyRing, type MailSender, type Postern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

const { APP_URL, PORT } = process.env;
const isProduction = process.env.NODE_ENV === "production";
const isDevelopment = !isProduction && (APP_URL === undefined || new URL(APP_URL).hostname === "localhost");

/** The port of the app: PORT, or the port of an APP_URL on localhost, or 3000. */
export const port = Number(PORT ?? ((isDevelopment && APP_URL !== undefined && new URL(APP_URL).port) || 3000));

/**
 * The public URL of the app. The browser returns here after a sign-in, and the issuer is below it. In production, set
 * APP_URL.
 */
export const appUrl = APP_URL ?? \`http://localhost:\${port}/\`;

/** The identifier of the app's API, which is the audience of its access tokens. */
export const apiIdentifier = new URL("api", appUrl).href;

/** Prints mail to the terminal. */
const developmentMail: MailSender = {
  send: async ({ to, subject, text }) => console.log(\`Mail to \${to}: \${subject}\\n\\n\${text}\\n\`),
};

/** Sends the mail of Postern. For production, write a sender for your mail provider here. */
const mail: MailSender | undefined = isDevelopment ? developmentMail : undefined;

/** Creates the identity service. The app and the command line ('npx postern') both call this function. */
export async function open() {
  if (isProduction) requireVariable("APP_URL");
  const data = await openDatabase(requireVariable("DATABASE_URL"));
  const postern = createPostern({
    issuer: new URL("auth/", appUrl).href,
    data,
    crypto: { secret: parseKeyRing(requireVariable("POSTERN_SECRET")) },
    defaultTenantId: "main",
    development: isDevelopment,
    ...(mail && { messages: { mail } }),
  });
  return { postern, data };
}

let opened: Promise<Postern> | undefined;

/** Returns the identity service. The first call creates the tables, the API, the client and, in development, a user. */
export function openPostern(): Promise<Postern> {
  opened ??= openAndSeed().catch((error: unknown) => {
    opened = undefined; // The next call retries.
    throw error;
  });
  return opened;
}

async function openAndSeed(): Promise<Postern> {
  requireVariable("APP_SECRET");
  const backendSecret = requireVariable("BACKEND_SECRET");
  const { postern, data } = await open();
  await data.migrate();
  await postern.check(); // Rejects a wrong POSTERN_SECRET.
  await postern.seed({
    tenantId: "main",
    apis: [
      {
        identifier: apiIdentifier,
        scopes: [{ value: "read:profile", description: "Read your profile" }],
        settings: { name: "Our API", allow_offline_access: true },
        sync: true,
      },
    ],
    clients: [
      {
        clientId: "app",
        // The app calls Postern in its own process, so it needs no client secret.
        settings: {
          name: "Our app",
          app_type: "regular_web",
          token_endpoint_auth_method: "none",
          callbacks: [new URL("callback", appUrl).href],
          allowed_logout_urls: [appUrl],
        },
        sync: true, // Each start updates the stored client with these settings and APP_URL.
      },
      {
        // Gets tokens for the Management API by client_credentials.
        clientId: "backend",
        secret: backendSecret,
        settings: { name: "Our backend", app_type: "non_interactive" },
        managesTenant: true,
        sync: true,
      },
    ],
    ...(isDevelopment && { user: { email: "me@example.com", password: "correct horse battery"${hasConsole ? ", managesTenant: true" : ""} } }),
  });
  if (isProduction) warnAboutProduction();
  return postern;
}

function warnAboutProduction(): void {
  if (mail === undefined)
    console.warn("No mail is sent: users cannot verify an email address or reset a password. Set 'mail' in postern.config.ts.");
  if (new URL(appUrl).protocol === "http:")
    console.warn("APP_URL is an http URL: passwords and cookies are sent without encryption. Use https in production.");
}

type Variable = "APP_SECRET" | "APP_URL" | "BACKEND_SECRET" | "DATABASE_URL" | "POSTERN_SECRET";

function requireVariable(name: Variable): string {
  const value = process.env[name];
  if (!value) throw new Error(\`\${name} is not set. It is in .env in development (node --env-file=.env), and in the environment in production.\`);
  return value;
}
`;

/** The arguments of `createSessions` and `createTokenCheck` that all frameworks share. */
export const sessionOptions = `tenantId: "main",
  clientId: "app",
  appUrl,
  audience: apiIdentifier,
  scope: "openid profile email offline_access read:profile",`;

/** The lines after `const server = …` that report whether the app listens. */
export const reportListening = (
  url: string,
): string => `server.on("listening", () => console.log(\`Listening on port \${port}. Open ${url}\`));
server.on("error", (error: Error) => {
  console.error(\`The app cannot listen on port \${port}: \${error.message}\`);
  process.exit(1);
});`;

/** The home page of Express and Hono apps: one page for visitors, one for users. */
export const homePages = `const signedOutPage = '<p><a href="/login?returnTo=/">Sign in</a></p>';
const signedInPage = \`<p><a href="/me">My account</a></p>
<p><a href="/call-api">Call the API</a></p>
<form method="post" action="/logout"><button>Sign out</button></form>\`;`;

/**
 * The names that `auth.ts` imports from the integration package of a framework. The app has one `auth.ts` next to its
 * server file.
 */
interface Integration {
  readonly package: string;
  readonly sessions: string;
  readonly handler: string;
  /** An optional remark for the doc comment of the handler. */
  readonly remark?: string;
}

/** Returns the text of `auth.ts` of an Express or Hono app: Postern's handler, the sessions and the token check. */
export const authText = ({
  package: name,
  sessions,
  handler,
  remark = "",
}: Integration): string => `import { createSessions, createTokenCheck } from "@postern/app";
import { ${sessions}, requireToken, ${handler} } from "${name}";
import { apiIdentifier, appUrl, openPostern } from "./postern.config.ts";

const postern = await openPostern();
const sessions = createSessions({
  postern,
  ${sessionOptions}
  secret: process.env.APP_SECRET ?? "",
});
const tokens = createTokenCheck({ postern, tenantId: "main", audience: apiIdentifier });

/** Handles every path below /auth/: OAuth, the login pages and the Management API.${remark} */
export const posternHandler = ${handler}(postern);

/** The sessions of the app. \`auth.routes\` handles /login, /callback and /logout. */
export const auth = ${sessions}(sessions, appUrl);

/** Requires an access token with the scope \`read:profile\`. */
export const requireProfileToken = requireToken(tokens, ["read:profile"]);
`;

/** The text of `tsconfig.json`, for frameworks that do not write one. Node.js runs the files as they are. */
export const tsconfigText = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true
  }
}
`;
