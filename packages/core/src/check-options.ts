import { isAddressRange } from "./adapters/addresses.ts";
import { toKeyRing } from "./domain/sealing/key-ring.ts";
import { PosternError } from "./errors.ts";
import { createUrls } from "./http/urls.ts";
import { withTexts } from "./locales/catalogues.ts";
import type { ControlPlaneOptions, LimitOptions, LogOptions, PaginationOptions, PosternOptions } from "./options.ts";

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
}

/** A rule for every option: one that is new does not compile without. */
type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

const options = "docs/embedding.md#options";
const addresses = "docs/embedding.md#addresses";
const sealing = "docs/operations.md#the-sealing-secret";
const messages = "docs/embedding.md#mail-and-text-messages";

const rules: Rules<PosternOptions> = {
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
  secret: {
    expected: "text of at least 32 characters, for example from `openssl rand -base64 32`, or a list of keys { id, secret }",
    page: sealing,
    required: true,
    secret: true,
    fits: isSecret,
    check: (value) => void (isSecret(value) && toKeyRing(value)),
  },
  defaultTenantId: { expected: "the id of a tenant", page: addresses, fits: isText },
  controlPlane: { expected: "an object { tenantId }", page: options, fits: isObject },
  trustedProxies: {
    expected: "a list of the proxies' addresses and networks, such as ['10.0.0.0/8', '::1']",
    page: "docs/operations.md#behind-a-proxy",
    fits: (value) => Array.isArray(value) && value.every((range) => isText(range) && isAddressRange(range)),
  },
  signingAlgorithm: oneOf("RS256", "ES256"),
  hasher: {
    expected: "an object with the methods hash, verify, verifyNothing and accepts, such as `createPasswordHasher()`",
    page: "docs/embedding.md#passwords",
    fits: (value) => has(value, isFunction, "hash", "verify", "verifyNothing", "accepts"),
  },
  rateLimiter: method("consume", "docs/embedding.md#rate-limits"),
  mail: method("send", messages),
  sms: method("send", messages),
  domainVerifier: method("verify", addresses),
  logger: method("log", "docs/operations.md#logs-and-audit"),
  texts: {
    expected: "an object of texts by language, such as { en: { identifierTitle: 'Welcome back' } }",
    page: "docs/embedding.md#what-the-pages-say-and-look-like",
    fits: isTexts,
    check: (value) => void (isTexts(value) && withTexts(value)),
  },
  logs: { expected: "an object { retentionDays }", page: "docs/operations.md#logs-and-audit", fits: isObject },
  limits: { expected: "an object { bodyBytes, visitBytesPerAddress }", page: options, fits: isObject },
  pagination: { expected: "an object { firstPage }", page: options, fits: isObject },
  checkReplies: oneOf(true, false),
  clock: method("now", options),
  random: method("bytes", options),
  fetch: { expected: "a function like the global fetch", page: options, fits: isFunction },
};

const controlPlane: Rules<ControlPlaneOptions> = {
  tenantId: { expected: "the id of a tenant", page: options, required: true, fits: isText },
  clientId: { expected: "the id of a client", page: options, fits: isText },
};

const logs: Rules<LogOptions> = {
  retentionDays: {
    expected: "a number of days, more than 0 and at most 36,500, or Infinity",
    page: "docs/operations.md#logs-and-audit",
    fits: (value) => typeof value === "number" && value > 0 && (value === Infinity || value <= 36_500),
  },
};

const bytes: Rule = { expected: "a number of bytes above 0", page: options, fits: (value) => typeof value === "number" && value > 0 };

const limits: Rules<LimitOptions> = { bodyBytes: bytes, visitBytesPerAddress: bytes };

const pagination: Rules<PaginationOptions> = { firstPage: oneOf(0, 1) };

/** @throws {PosternError} `configuration_error` that names the first option that cannot work, what was given, what is expected, and where to read on. */
export function checkOptions(given: PosternOptions): void {
  checkGroup("", given, rules);
  checkGroup("controlPlane.", given.controlPlane, controlPlane);
  checkGroup("logs.", given.logs, logs);
  checkGroup("limits.", given.limits, limits);
  checkGroup("pagination.", given.pagination, pagination);
}

function checkGroup(prefix: string, given: object | undefined, group: { readonly [name: string]: Rule }): void {
  if (given === undefined && prefix !== "") return;
  if (!isObject(given)) throw mistake(`createPostern must be given an object of options. See ${options}`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(group, name));
  if (unknown !== undefined) {
    throw mistake(`createPostern knows no option '${prefix}${unknown}', only ${Object.keys(group).join(", ")}. See ${options}`);
  }
  for (const [name, rule] of Object.entries(group)) checkOption(prefix + name, given[name], rule);
}

function checkOption(name: string, value: unknown, { expected, page, required, secret, fits, check }: Rule): void {
  if (value === undefined && required !== true) return;
  if (value === undefined || !fits(value)) {
    throw mistake(`createPostern: '${name}' is ${describe(value, secret === true)} and must be ${expected}. See ${page}`);
  }
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
  if (Array.isArray(value)) return secret ? "a list" : `the list ${JSON.stringify(value).slice(0, 100)}`;
  if (isObject(value))
    return value.constructor === Object || !isFunction(value.constructor) ? "an object" : `an object (${value.constructor.name})`;
  if (typeof value === "string") return secret || value === "" ? `text of ${value.length} characters` : `'${value.slice(0, 100)}'`;
  return isFunction(value) ? "a function" : String(value);
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

function isSecret(value: unknown): value is PosternOptions["secret"] {
  return isText(value) || (Array.isArray(value) && value.every((key) => has(key, isText, "id", "secret")));
}

function isTexts(value: unknown): value is { readonly [tag: string]: object } {
  return isObject(value) && Object.values(value).every(isObject);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isFunction(value: unknown): value is (...given: never[]) => unknown {
  return typeof value === "function";
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}
