import { compare } from "bcryptjs";
import { basename } from "node:path";
import { styleText } from "node:util";
import {
  createPasswordHasher,
  createPostern,
  isPosternError,
  UnavailableAlgorithmError,
  type PasswordHasher,
  type Postern,
  type PosternOptions,
} from "@postern/core";
import { watchAncestors } from "./ancestors.ts";
import { createApp } from "./app.ts";
import { createConsole } from "./console.ts";
import { socialClientId } from "./demo/clients.ts";
import { createFirstUser } from "./demo/first-user.ts";
import { checkDatabaseSecret, openData, secretsFile } from "./database.ts";
import { readEnvironment, type SecretName } from "./environment.ts";
import { createDevPages, isLoopback } from "./dev-pages.ts";
import { createInbox } from "./inbox.ts";
import { createLog, type Log } from "./log.ts";
import { openServerSecrets, keyRingFromSecrets } from "./secrets.ts";
import { seedServer } from "./seed.ts";
import { startServer } from "./server.ts";
import { createLimiter } from "./limiter.ts";
import { StartError } from "./start-error.ts";
import { startDelivering, startSweeping } from "./sweeper.ts";

/** The maximum time that running requests have to finish when the server stops. */
const drainMilliseconds = 10_000;

try {
  await start();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}

async function start(): Promise<void> {
  // Only the owner may read the files that the server writes: databases, their logs, generated secrets.
  process.umask(0o077);
  // Watches from the beginning, because the package manager may end while the database is migrated.
  let stop = async (_reason: string): Promise<void> => process.exit(1);
  watchAncestors(() => void stop("the package manager that started this server has ended"));

  const settings = readEnvironment(process.env, process.stdout.isTTY);
  const log = createLog(settings.logFormat, process.stdout, process.stderr, (style, text) =>
    styleText(style, text, { stream: process.stdout }),
  );
  // The server continues to run if the process that reads its output ends.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

  const server = await startServer(settings.host, settings.port);
  const data = await openData(settings.databaseUrl);
  const existingTenants = await data.collections.tenants.find({ where: { id: settings.tenantId }, limit: 1 });
  const file = secretsFile(settings.databaseUrl);
  const inUse = existingTenants.length > 0;
  const secrets = openServerSecrets({ given: settings.given, file, inUse });

  const inbox = createInbox((message) => log.message(message));
  const hasher = createHasher(log);
  const issuer = settings.issuer ?? `http://localhost:${server.port}/`;
  const postern = create({
    issuer,
    data,
    crypto: { secret: keyRingFromSecrets(secrets.POSTERN_SECRET), hasher },
    defaultTenantId: settings.tenantId,
    controlPlane: { tenantId: settings.tenantId },
    trustedProxies: settings.trustedProxies,
    rateLimiter: createLimiter(settings.loginsPerMinute),
    messages: { mail: inbox.mail, sms: inbox.sms },
    // On a developer's machine, connections may use an identity provider on the same machine.
    network: { allowedPrivateAddresses: isLoopback(new URL(issuer).hostname) ? ["127.0.0.0/8", "::1"] : [] },
    logger: log,
  });
  await checkDatabaseSecret(postern);
  const devPages = createDevPages({ setting: settings.devPages, issuer: postern.issuer, host: settings.host });
  // A visitor may sign in as any user of the demo's provider, so only this machine may use it.
  const hasProvider = devPages.isOn && settings.devPages === "loopback" && settings.providers.length === 0;
  await seedServer({ postern, settings, secrets, hasProvider, hasDemo: devPages.isOn });

  const management = { client_id: secrets.ADMIN_CLIENT_ID, client_secret: secrets.ADMIN_CLIENT_SECRET };
  const web = { client_id: secrets.WEB_CLIENT_ID, client_secret: secrets.WEB_CLIENT_SECRET };
  const clientIds = { managementClientId: management.client_id, spaClientId: secrets.SPA_CLIENT_ID, webClientId: web.client_id };
  const clients = {
    spa: { id: secrets.SPA_CLIENT_ID },
    web: { id: web.client_id, secret: web.client_secret },
    social: { id: socialClientId },
  };
  const facts = { tenantId: settings.tenantId, ...clientIds };
  const user = { email: settings.adminEmail, password: secrets.ADMIN_PASSWORD };
  // Contains only the name of the file, because visitors of a public server must not learn its folders.
  const generatedLocation = file === undefined ? "the output of the server" : `${basename(file)}, next to the database`;
  const passwordLocation = settings.given.ADMIN_PASSWORD === undefined ? generatedLocation : "the variable ADMIN_PASSWORD";
  const firstUser = createFirstUser({ data, hasher, tenantId: settings.tenantId, ...user, passwordLocation });
  if (settings.devPages === "public") {
    log.log({
      level: "warn",
      event: "dev_pages",
      text: "DEV_PAGES is public: every client that reaches this server can read all codes and links that it sends.",
    });
  }
  const admin = await createConsole({ postern, data, tenantId: settings.tenantId, secrets: secrets.POSTERN_SECRET });
  server.serve(createApp({ postern, admin, inbox, log, devPages, clients, hasProvider, firstUser, facts }));

  const [sweeper, deliverer] = [startSweeping(postern.jobs, log), startDelivering(postern.jobs, log)];
  let isStopping = false;
  stop = async (reason) => {
    if (isStopping) return;
    isStopping = true;
    log.log({ level: "info", event: "stopping", reason });
    const ended = Promise.all([sweeper.stop(), deliverer.stop()]);
    await server.drain(drainMilliseconds);
    await ended;
    await postern.close();
    await data.close?.();
    await log.flush();
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));

  const secretLocation = (name: SecretName): string => (settings.given[name] === undefined ? `in ${file ?? "memory"}` : `as ${name} says`);
  const url = new URL(postern.issuer).pathname;
  log.ready(
    {
      url: new URL(url, `http://${reachable(settings.host)}:${server.port}`).href,
      issuer: postern.issuer,
      tenant_id: settings.tenantId,
      management_client: management,
      spa_client: { client_id: secrets.SPA_CLIENT_ID },
      web_client: web,
      user,
    },
    { inbox: devPages.isOn, secretLocation: inUse ? secretLocation : undefined },
  );
}

/**
 * Creates the service.
 * @throws {StartError} if Postern rejects a value in the environment, such as a secret that is easy to guess.
 */
function create(options: PosternOptions): Postern {
  try {
    return createPostern(options);
  } catch (error) {
    if (isPosternError(error) && error.code === "configuration_error")
      throw new StartError(`POSTERN_SECRET or another variable cannot be used: ${error.message}`, { exitCode: 2, cause: error });
    throw error;
  }
}

/**
 * Creates a hasher with argon2id if this version of Node.js supports it, otherwise with the default algorithm of core.
 */
function createHasher(log: Log): PasswordHasher {
  try {
    return createPasswordHasher({ algorithm: "argon2id", bcrypt: compare });
  } catch (error) {
    if (!(error instanceof UnavailableAlgorithmError)) throw error;
    log.log({ level: "warn", event: "hasher", text: "Passwords are hashed with scrypt: argon2id needs Node 24.7 or later." });
    return createPasswordHasher({ bcrypt: compare });
  }
}

/** Returns a host name with which this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
  if (["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
