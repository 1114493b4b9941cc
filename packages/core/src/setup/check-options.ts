import type { Action } from "../adapters/actions.ts";
import { isAddressRange } from "../adapters/addresses.ts";
import { toKeyRing } from "../domain/sealing/key-ring.ts";
import { PosternError } from "../errors.ts";
import { createUrls } from "../http/urls.ts";
import { createCatalogues } from "../locales/catalogues.ts";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { SubdomainRouting } from "../adapters/subdomain-routing.ts";
import type { TenantHooks } from "../adapters/tenant-hooks.ts";
import type {
  AccessControlOptions,
  ControlPlaneOptions,
  CryptoOptions,
  LimitOptions,
  LogOptions,
  MessageOptions,
  NetworkOptions,
  PaginationOptions,
  PosternOptions,
  TestingOptions,
} from "./options.ts";

/** What an option must be, so that a mistake is told when the service is made, in the host's words, and not by whoever first trips over it. */
interface Rule {
  /** Completes "… must be": what to pass instead. */
  readonly expected: string;
  /** Where to read on, in the repository. */
  readonly page: string;
  readonly required?: true;
  /** Its value is never repeated. */
  readonly secret?: true;
  readonly fits: (value: unknown) => boolean;
  /** What else can be wrong with a value that fits. @throws with a message that says what. */
  readonly check?: (value: unknown) => void;
  /** The rules of what is in it, for a group of options. */
  readonly members?: { readonly [name: string]: Rule };
}

/** A rule for every option: one that is new does not compile without. */
type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

const options = "docs/embedding.md#options";
const addresses = "docs/embedding.md#addresses";
const sending = "docs/embedding.md#send-mail-and-sms";
const sealing = "docs/operations.md#the-sealing-secret";

const tenants = "docs/tenants.md";
const subdomains = "docs/tenants.md#tenants-by-subdomain";
const hook: Rule = { expected: "a function", page: "docs/tenants.md#hooks", fits: isFunction };
const bytes: Rule = { expected: "a number of bytes above 0", page: options, fits: (value) => typeof value === "number" && value > 0 };

const timeoutSeconds: Rule = {
  expected: "a number of seconds above 0 and at most 300",
  page: options,
  fits: (value) => typeof value === "number" && value > 0 && value <= 300,
};

/** What is checked of each option, and where it is explained. */
export const rules: Rules<PosternOptions> = {
  issuer: {
    expected: "the public base URL, such as 'https://login.example.com/' or 'http://localhost:3000/auth/'",
    page: addresses,
    required: true,
    fits: (value) => isText(value) && URL.canParse(value),
    check: (value) => void (isText(value) && createUrls(value)),
  },
  data: {
    expected: "a data adapter, such as `await openDatabase(…)` or `memoryAdapter()`",
    page: "docs/embedding.md#storage",
    required: true,
    fits: (value) => isObject(value) && isObject(value["collections"]),
  },
  crypto: {
    ...group<CryptoOptions>(options, {
      secret: {
        expected: "text of at least 32 characters, for example from `openssl rand -base64 32`, or a list of keys { id, secret }",
        page: sealing,
        required: true,
        secret: true,
        fits: isSecret,
        check: (value) => void (isSecret(value) && toKeyRing(value)),
      },
      signingAlgorithm: oneOf("RS256", "ES256"),
      hasher: {
        expected: "an object with the methods hash, verify, verifyNothing and accepts, such as `createPasswordHasher()`",
        page: "docs/embedding.md#passwords",
        fits: (value) => has(value, isFunction, "hash", "verify", "verifyNothing", "accepts"),
      },
    }),
    required: true,
    secret: true,
  },
  defaultTenantId: { expected: "the id of a tenant", page: addresses, fits: isText },
  controlPlane: group<ControlPlaneOptions>(options, {
    tenantId: { expected: "the id of a tenant", page: options, required: true, fits: isText },
    clientId: { expected: "the id of a client", page: options, fits: isText },
  }),
  resolveControlPlane: { expected: "a function", page: tenants, fits: isFunction },
  sync: {
    expected: "false, or { resourceServers?: boolean, roles?: boolean }",
    page: tenants,
    fits: (value) =>
      value === false ||
      (isObject(value) &&
        Object.entries(value).every(([name, on]) => ["resourceServers", "roles"].includes(name) && typeof on === "boolean")),
  },
  defaultPermissions: { expected: "a list of the Management API's scopes", page: tenants, fits: isTextList },
  requireOrganizationMatch: { ...oneOf(true, false), page: tenants },
  accessControl: group<AccessControlOptions>(tenants, {
    defaultRoles: { expected: "a list of ids or names of roles", page: tenants, fits: isTextList },
  }),
  databaseIsolation: group<DatabaseIsolation>(tenants, {
    getAdapters: { expected: "a function", page: tenants, required: true, fits: isFunction },
    onProvision: { expected: "a function", page: tenants, fits: isFunction },
    onDeprovision: { expected: "a function", page: tenants, fits: isFunction },
    recordProvisionOperations: { ...oneOf(true, false), page: tenants },
    maxOpen: { expected: "a number above 0", page: tenants, fits: isPositive },
    idleSeconds: { expected: "a number above 0", page: tenants, fits: isPositive },
  }),
  operationExecutor: method("submit", tenants),
  hooks: group<TenantHooks>(tenants, {
    onTenantCreating: hook,
    onTenantCreated: hook,
    onTenantUpdating: hook,
    onTenantUpdated: hook,
    onTenantDeleting: hook,
    onTenantDeleted: hook,
  }),
  subdomainRouting: group<SubdomainRouting>(subdomains, {
    baseDomain: {
      expected: "a host name in lower case, without a port, such as 'id.example.com' or 'localhost'",
      page: subdomains,
      required: true,
      fits: (value) => isText(value) && isHostName(value),
    },
    useOrganizations: { ...oneOf(true, false), page: subdomains },
    reservedSubdomains: {
      expected: "a list of single labels in lower case, such as ['status', 'docs']",
      page: subdomains,
      fits: (value) => Array.isArray(value) && value.every((label) => isText(label) && !label.includes(".") && isHostName(label)),
    },
    resolveSubdomain: { expected: "a function", page: subdomains, fits: isFunction },
  }),
  trustedProxies: {
    expected: "a list of the proxies' addresses and networks, such as ['10.0.0.0/8', '::1']",
    page: "docs/operations.md#behind-a-proxy",
    fits: (value) => Array.isArray(value) && value.every((range) => isText(range) && isAddressRange(range)),
  },
  rateLimiter: method("consume", "docs/embedding.md#rate-limits"),
  breachedPasswords: method("range", "docs/embedding.md#breached-passwords"),
  messages: group<MessageOptions>(options, { mail: method("send", sending), sms: method("send", sending) }),
  domainVerifier: method("verify", addresses),
  actions: {
    expected: "a list of objects with functions such as onExecutePostLogin()",
    page: "docs/actions.md#write-an-action",
    fits: (value) => Array.isArray(value) && value.every(isObject),
    check: (value) => void (Array.isArray(value) && value.forEach(checkAction)),
  },
  logSinks: {
    expected: "an object of sinks by type, each with a method deliver(), such as { kinesis: { deliver } }",
    page: "docs/log-streams.md#deliver-somewhere-else",
    fits: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([type, sink]) => /^[a-z][a-z0-9_-]{0,63}$/.test(type) && type !== "http" && has(sink, isFunction, "deliver"),
      ),
  },
  userSource: method("login", "docs/import-users.md#bring-people-over-as-they-sign-in"),
  network: group<NetworkOptions>("docs/connections.md#which-servers-are-asked", {
    allowedPrivateAddresses: {
      expected: "a list of addresses and networks, such as ['127.0.0.1', '10.1.0.0/16']",
      page: "docs/connections.md#which-servers-are-asked",
      fits: (value) => Array.isArray(value) && value.every((range) => isText(range) && isAddressRange(range)),
    },
    fetch: { expected: "a function", page: "docs/connections.md#which-servers-are-asked", fits: isFunction },
  }),
  logger: method("log", "docs/operations.md#logs-and-audit"),
  texts: {
    expected: "an object of texts by language, such as { en: { identifierTitle: 'Welcome back' } }",
    page: "docs/embedding.md#what-the-pages-say-and-look-like",
    fits: isTexts,
    check: (value) => void (isTexts(value) && createCatalogues(value)),
  },
  loginPage: {
    expected: "a path on the issuer's host, without query and fragment, such as '/sign-in'",
    page: "docs/embedding.md#build-your-own-login-pages",
    fits: (value) => isText(value) && /^\/(?![/\\])[^?#\s\\]*$/.test(value),
  },
  logs: group<LogOptions>("docs/operations.md#logs-and-audit", {
    retentionDays: {
      expected: "a number of days, more than 0 and at most 36,500, or Infinity",
      page: "docs/operations.md#logs-and-audit",
      fits: (value) => typeof value === "number" && value > 0 && (value === Infinity || value <= 36_500),
    },
    lateEventWindowSeconds: {
      expected: "a number of seconds, from 1 to 3,600",
      page: "docs/log-streams.md#events-that-are-committed-late",
      fits: (value) => typeof value === "number" && value >= 1 && value <= 3600,
    },
  }),
  limits: group<LimitOptions>(options, {
    bodyBytes: bytes,
    loginSessionBytesPerAddress: bytes,
    dataTimeoutSeconds: timeoutSeconds,
    userMetadataBytes: bytes,
    settingsCacheBytes: bytes,
  }),
  development: oneOf(true, false),
  pagination: group<PaginationOptions>(options, { firstPage: oneOf(0, 1) }),
  testing: group<TestingOptions>(options, {
    checkReplies: oneOf(true, false),
    clock: method("now", options),
    setTimer: { expected: "a function", page: options, fits: isFunction },
    random: method("bytes", options),
  }),
};

/** What an action may have: one that is new does not compile without. What else a module exports is nobody's business, but for what looks like a function that would never be called. */
const ofAction: { readonly [Name in keyof Action]-?: (value: unknown) => boolean } = {
  name: isText,
  secrets: (value) => isObject(value) && Object.values(value).every((secret) => typeof secret === "string"),
  timeoutSeconds: (value) => isPositive(value) && Number(value) <= 60,
  onExecutePostLogin: isFunction,
  onContinuePostLogin: isFunction,
  onExecutePreUserRegistration: isFunction,
  onExecutePostUserRegistration: isFunction,
  onExecuteCredentialsExchange: isFunction,
  onExecutePostChangePassword: isFunction,
  onExecuteSendPhoneMessage: isFunction,
};

function checkAction(action: { readonly [name: string]: unknown }, at: number): void {
  const functions = Object.keys(ofAction).filter((name) => name.startsWith("on"));
  const unknown = Object.keys(action).find((name) => /^on[A-Z]/.test(name) && !functions.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`action ${at + 1} has '${unknown}', which is never called: there are ${functions.join(", ")}`);
  const unfit = Object.entries(ofAction).find(([name, fits]) => action[name] !== undefined && !fits(action[name]));
  if (unfit !== undefined) throw new TypeError(`action ${at + 1}: '${unfit[0]}' is of the wrong kind`);
  if (!functions.some((name) => action[name] !== undefined)) throw new TypeError(`action ${at + 1} has none of ${functions.join(", ")}`);
}

/** @throws {PosternError} `configuration_error` that names the first option that cannot work, what was given, what is expected, and where to read on. */
export function checkOptions(given: PosternOptions): void {
  if (!isObject(given)) throw mistake(`createPostern must be given an object of options. See ${options}`);
  checkMembers("", given, rules);
  const senders = (given.actions ?? []).filter(({ onExecuteSendPhoneMessage: send }) => send !== undefined).length;
  if (senders + (given.messages?.sms === undefined ? 0 : 1) > 1)
    throw mistake(
      `createPostern: text messages are sent by one alone, by 'messages.sms' or by one action's onExecuteSendPhoneMessage. See ${sending}`,
    );
}

function checkMembers(prefix: string, given: { readonly [name: string]: unknown }, members: { readonly [name: string]: Rule }): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined)
    throw mistake(`createPostern knows no option '${prefix}${unknown}'${placeOf(unknown, members)}. See ${options}`);
  for (const [name, rule] of Object.entries(members)) checkOption(prefix + name, given[name], rule);
}

/** What to write instead of an option that is not one: its place in a group where it has one, else the names there are. */
function placeOf(name: string, members: { readonly [name: string]: Rule }): string {
  const found = Object.entries(rules).find(([, rule]) => Object.hasOwn(rule.members ?? {}, name));
  return found === undefined ? `, only ${Object.keys(members).join(", ")}` : `: its place is '${found[0]}.${name}'`;
}

function checkOption(name: string, value: unknown, { expected, page, required, secret, fits, check, members }: Rule): void {
  if (value === undefined && required !== true) return;
  // A group that must be there and is not: what is missed is what it must hold.
  if (value === undefined && members !== undefined) return checkMembers(`${name}.`, {}, members);
  if (value === undefined || !fits(value)) {
    throw mistake(`createPostern: '${name}' is ${describe(value, secret === true)} and must be ${expected}. See ${page}`);
  }
  if (members !== undefined && isObject(value)) checkMembers(`${name}.`, value, members);
  try {
    check?.(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw mistake(`createPostern: '${name}' cannot be used: ${reason}. See ${page}`, cause);
  }
}

function mistake(message: string, cause?: unknown): PosternError {
  return new PosternError("configuration_error", message, { cause });
}

/** What was given, as far as it may be told. */
function describe(value: unknown, secret: boolean): string {
  if (isObject(value) && isFunction(value["then"])) return "a promise (is an `await` missing?)";
  if (Array.isArray(value) && secret && value.some((key) => isObject(key) && key["secret"] === ""))
    return "a list with an empty secret (is its environment variable set? `node --env-file=.env` reads .env)";
  if (Array.isArray(value)) return secret ? "a list" : `the list ${JSON.stringify(value).slice(0, 100)}`;
  if (isObject(value))
    return value.constructor === Object || !isFunction(value.constructor) ? "an object" : `an object (${value.constructor.name})`;
  if (typeof value === "string") return secret || value === "" ? `text of ${value.length} characters` : `'${value.slice(0, 100)}'`;
  return isFunction(value) ? "a function" : String(value);
}

function group<Options>(page: string, members: Rules<Options>): Rule {
  return { expected: `an object { ${Object.keys(members).join(", ")} }`, page, fits: isObject, members };
}

function method(name: string, page: string): Rule {
  return { expected: `an object with a method ${name}()`, page, fits: (value) => has(value, isFunction, name) };
}

function oneOf(...values: readonly (string | number | boolean)[]): Rule {
  return {
    expected: values.map((value) => JSON.stringify(value)).join(" or "),
    page: options,
    fits: (value) => values.some((one) => one === value),
  };
}

/** Whether each of the members is such a thing. */
function has(value: unknown, is: (member: unknown) => boolean, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => is(value[name]));
}

function isSecret(value: unknown): value is CryptoOptions["secret"] {
  return isText(value) || (Array.isArray(value) && value.every((key) => has(key, isText, "id", "secret")));
}

function isTexts(value: unknown): value is { readonly [tag: string]: object } {
  return isObject(value) && Object.values(value).every(isObject);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether text is a name as a URL has it: labels in lower case, the last of which is no number. */
function isHostName(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length <= 189 &&
    !/^\d+$/.test(labels.at(-1) ?? "") &&
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    URL.canParse(`http://${text}`) &&
    new URL(`http://${text}`).hostname === text
  );
}

function isFunction(value: unknown): value is (...given: never[]) => unknown {
  return typeof value === "function";
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}
