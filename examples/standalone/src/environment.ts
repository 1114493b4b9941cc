import { isIP } from "node:net";
import { checkTenantId } from "@postern/core";
import type { DevPagesSetting } from "./dev-pages.ts";
import { StartError } from "./start-error.ts";

/** The settings from the environment variables. The README describes them. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** If undefined, the issuer is derived from the port. */
  readonly issuer: string | undefined;
  readonly databaseUrl: string;
  readonly tenantId: string;
  readonly adminEmail: string;
  /** The values in the environment that the server would otherwise generate. */
  readonly given: Given;
  readonly callbackUrls: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Identity providers with which users may sign in. */
  readonly providers: readonly Provider[];
  /** Maximum number of password attempts per client address and minute. */
  readonly loginsPerMinute: number;
  readonly devPages: DevPagesSetting;
  readonly logFormat: "json" | "pretty";
}

/** An identity provider, and the credentials of Postern's client there. */
interface Provider {
  readonly strategy: "google-oauth2" | "github";
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Names of the variables whose values are generated once if they are not set. */
export type SecretName = keyof typeof secretRules;

/** The values that these variables have in the environment. */
export type Given = { readonly [Name in SecretName]?: string };

type Environment = Readonly<Record<string, string | undefined>>;
type Parse<T> = (text: string) => T;

/**
 * Reads the environment. An empty variable counts as not set.
 * @throws {StartError} if a variable is invalid. The message names every invalid variable, and never contains a secret.
 */
export function readEnvironment(environment: Environment, isTerminal: boolean): Settings {
  const faults: string[] = [];
  const read = <T>(name: string, parse: Parse<T>, defaultValue: T): T => {
    const text = environment[name]?.trim() ?? "";
    if (text === "") return defaultValue;
    try {
      return parse(text);
    } catch (fault) {
      faults.push(`${name} ${fault instanceof Error ? fault.message : String(fault)}`);
      return defaultValue;
    }
  };

  const given: { [Name in SecretName]?: string } = {};
  for (const name of secretNames) {
    const value = read(name, secretRules[name], "");
    if (value !== "") given[name] = value;
  }
  const providers = (["GOOGLE", "GITHUB"] as const).flatMap((name): Provider[] => {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
    const [clientId, clientSecret] = [read(id, textWithoutSpaces, ""), read(secret, textWithoutSpaces, "")];
    if ((clientId === "") !== (clientSecret === ""))
      faults.push(`${clientId === "" ? id : secret} is missing: set both ${id} and ${secret}, or neither`);
    return clientId === "" ? [] : [{ strategy: name === "GOOGLE" ? "google-oauth2" : "github", clientId, clientSecret }];
  });
  const settings: Settings = {
    port: read("PORT", port, 3000),
    host: read("HOST", textWithoutSpaces, "127.0.0.1"),
    issuer: read("ISSUER", issuer, undefined),
    databaseUrl: read("DATABASE_URL", databaseUrl, "sqlite:./data/postern.db"),
    tenantId: read("TENANT_ID", tenantId, "main"),
    adminEmail: read("ADMIN_EMAIL", email, "admin@example.com"),
    given,
    callbackUrls: read("CALLBACK_URLS", list(absoluteUrl), []),
    trustedProxies: read("TRUSTED_PROXIES", list(addressRange), []),
    providers,
    loginsPerMinute: read("LOGINS_PER_MINUTE", positive, 300),
    devPages: read("DEV_PAGES", devPages, "loopback"),
    logFormat: read("LOG_FORMAT", logFormat, isTerminal ? "pretty" : "json"),
  };
  const clientIds = [given.ADMIN_CLIENT_ID, given.SPA_CLIENT_ID, given.WEB_CLIENT_ID].filter((id) => id !== undefined);
  if (new Set(clientIds).size < clientIds.length)
    faults.push("ADMIN_CLIENT_ID, SPA_CLIENT_ID and WEB_CLIENT_ID must be three different ids");
  if (faults.length > 0) throw new StartError(faults.join("\n"), { exitCode: 2 });
  return settings;
}

const atLeast =
  (length: number): Parse<string> =>
  (text) => {
    if (text.length < length) throw new Error(`must have at least ${length} characters`);
    return text;
  };

const textWithoutSpaces: Parse<string> = (text) => {
  if (/\s/.test(text)) throw new Error("must not contain spaces");
  return text;
};

const clientId: Parse<string> = (text) => {
  if (!/^[\x21-\x7e]{1,64}$/.test(text)) throw new Error(`must be 1 to 64 ASCII characters without spaces, not '${text}'`);
  return text;
};

const secretRules = {
  POSTERN_SECRET: (text) => list(atLeast(32))(text).join(","),
  ADMIN_CLIENT_ID: clientId,
  ADMIN_CLIENT_SECRET: atLeast(16),
  ADMIN_PASSWORD: atLeast(8),
  SPA_CLIENT_ID: clientId,
  WEB_CLIENT_ID: clientId,
  WEB_CLIENT_SECRET: atLeast(16),
} satisfies Record<string, Parse<string>>;

/** Every {@link SecretName}. */
export const secretNames: readonly SecretName[] = [
  "POSTERN_SECRET",
  "ADMIN_CLIENT_ID",
  "ADMIN_CLIENT_SECRET",
  "ADMIN_PASSWORD",
  "SPA_CLIENT_ID",
  "WEB_CLIENT_ID",
  "WEB_CLIENT_SECRET",
];

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`must be a whole number from 0 to 65535, not '${text}'`);
  return Number(text);
}

function issuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Error("must be an http or https URL");
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new Error("must be a URL without query, fragment or user");
  }
  return url.href;
}

function databaseUrl(text: string): string {
  if (text === "memory:" || /^(sqlite|pglite):./.test(text)) return text;
  if (/^(postgres|postgresql|mysql|mariadb):\/\/./.test(text) && URL.canParse(text)) return text;
  // The message does not contain the URL, which may contain a password.
  throw new Error("must be sqlite:PATH, sqlite::memory:, memory:, pglite:DIR, postgres://… or mysql://…");
}

function tenantId(text: string): string {
  try {
    checkTenantId(text);
    return text;
  } catch (cause) {
    const rule = "must be 1 to 63 lower-case letters, digits, - and _, begin with a letter or digit, and not be a reserved word";
    throw new Error(`${rule}; '${text}' cannot be a tenant id`, { cause });
  }
}

function email(text: string): string {
  if (!/^[!-?A-~]+@[!-?A-~]+$/.test(text)) throw new Error(`must be an ASCII email address, not '${text}'`);
  return text;
}

function absoluteUrl(text: string): string {
  if (!URL.canParse(text) || text.includes("#"))
    throw new Error(`must be a comma-separated list of absolute URLs without fragments, not '${text}'`);
  return text;
}

function addressRange(text: string): string {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  const maximumBits = version === 4 ? 32 : 128;
  const isValid = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maximumBits);
  if (version === 0 || !isValid || rest.length > 0)
    throw new Error(`must be a comma-separated list of IP addresses and CIDR ranges, not '${text}'`);
  return text;
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`must be a whole number from 1 to 999999999, not '${text}'`);
  return Number(text);
}

function devPages(text: string): DevPagesSetting {
  if (text !== "loopback" && text !== "public") throw new Error(`must be loopback or public, not '${text}'`);
  return text;
}

function logFormat(text: string): "json" | "pretty" {
  if (text !== "json" && text !== "pretty") throw new Error(`must be json or pretty, not '${text}'`);
  return text;
}

function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
      .map(parse);
}
