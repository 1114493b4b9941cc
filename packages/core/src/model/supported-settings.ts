import * as z from "zod";
import { ResourceServer } from "./apis/resource-servers.ts";
import { Client } from "./clients/bodies.ts";
import { Connection } from "./connections/connections.ts";
import { unknownOptions } from "./connections/options.ts";
import { strategies } from "./connections/strategies.ts";
import { ClientGrant } from "./grants/client-grants.ts";
import { LogStream } from "./logs/log-streams.ts";
import { Organization, OrganizationConnection } from "./organizations/organizations.ts";
import { Partials } from "./prompts/bodies.ts";
import { Rendering } from "./prompts/rendering.ts";
import { PromptSettings } from "./prompts/settings.ts";
import { factMark, storedOnlyMark } from "./settings.ts";
import { BruteForceProtection, SuspiciousIpThrottling } from "./tenant/attack-protection.ts";
import { Branding } from "./tenant/branding.ts";
import { BreachedPasswordDetection } from "./tenant/breached-passwords.ts";
import { CustomDomain } from "./tenant/custom-domains.ts";
import { EmailProvider } from "./tenant/email-provider.ts";
import { EmailTemplate } from "./tenant/email-templates.ts";
import { PageTemplate } from "./tenant/page-template.ts";
import { TenantSettingsReply } from "./tenant/settings-bodies.ts";
import { Theme } from "./tenant/theme.ts";

/** A resource of the Management API that has settings. */
interface Resource {
  readonly title: string;
  /** The schema of responses. For the options of a connection, the schema of request bodies. */
  readonly schema: z.ZodType;
}

/** A setting that the Management API returns. */
interface SettingDefinition {
  /** The path of the setting, such as `refresh_token.leeway`. Empty if the whole resource is one setting. */
  readonly path: string;
  /** Whether the schema marks the setting, including its nested settings, with `storedOnly`. */
  readonly isStoredOnly: boolean;
  readonly description?: string;
}

/** The settings of a resource. */
export interface ResourceSettings {
  readonly title: string;
  /** Paths of the settings that have an effect. */
  readonly supported: readonly string[];
  readonly storedOnly: readonly SettingDefinition[];
}

/**
 * The resources with settings, in the order of `docs/reference/settings.md`. If a part of a resource has its own entry,
 * the entry of the resource does not contain it.
 */
const resources: readonly Resource[] = [
  { title: "Client", schema: Client },
  { title: "Client grant", schema: ClientGrant },
  { title: "API (resource server)", schema: ResourceServer },
  { title: "Connection", schema: Connection.omit({ options: true }) },
  ...listStrategyOptions(),
  { title: "Options of any other strategy", schema: unknownOptions },
  { title: "Organization", schema: Organization.omit({ enabled_connections: true }) },
  { title: "Connection of an organization", schema: OrganizationConnection },
  { title: "Tenant", schema: TenantSettingsReply },
  { title: "Branding", schema: Branding },
  { title: "Branding theme", schema: Theme },
  { title: "Prompts", schema: PromptSettings },
  { title: "Partials of a prompt", schema: Partials },
  { title: "Rendering of a screen", schema: Rendering },
  { title: "Page template of the login pages", schema: PageTemplate },
  { title: "Brute-force protection", schema: BruteForceProtection },
  { title: "Suspicious IP throttling", schema: SuspiciousIpThrottling },
  { title: "Breached-password detection", schema: BreachedPasswordDetection },
  { title: "Custom domain", schema: CustomDomain },
  { title: "Email provider", schema: EmailProvider },
  { title: "Email template", schema: EmailTemplate },
  { title: "Log stream", schema: LogStream },
];

/** Returns the options of each strategy. Strategies with the same schema share one entry. */
function listStrategyOptions(): readonly Resource[] {
  const sharing = Map.groupBy(Object.entries(strategies), ([, { options }]) => options);
  return [...sharing].map(([schema, members]) => {
    const titles = joinWithAnd(members.map(([, { title }]) => title));
    const names = members.map(([name]) => `\`${name}\``).join(", ");
    return { title: `Options of ${titles} (${members.length === 1 ? "strategy" : "strategies"} ${names})`, schema };
  });
}

/** Joins texts into a list: `a`, `a and b`, `a, b and c`. */
function joinWithAnd(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(", "), ...texts.slice(-1)].filter((part) => part !== "").join(" and ");
}

/** Returns the settings of each resource. */
export function listResourceSettings(): readonly ResourceSettings[] {
  return resources.map(({ title, schema }) => {
    const settings = settingsOf(schema);
    return {
      title,
      supported: settings.filter(({ isStoredOnly }) => !isStoredOnly).map(({ path }) => path),
      storedOnly: settings.filter(({ isStoredOnly }) => isStoredOnly),
    };
  });
}

/** Returns each setting of a schema once. */
export function settingsOf(schema: z.ZodType): readonly SettingDefinition[] {
  const root = Node.parse(z.toJSONSchema(schema, { unrepresentable: "any" }));
  const definitions = z.record(z.string(), z.unknown()).parse(root["$defs"] ?? {});
  return settingsIn(root, (reference) => definitions[reference.replace("#/$defs/", "")]);
}

/** The JSON Schema keywords that {@link settingsIn} reads. */
const Node = z.looseObject({
  $ref: z.string().exactOptional(),
  anyOf: z.array(z.unknown()).exactOptional(),
  properties: z.record(z.string(), z.unknown()).exactOptional(),
  items: z.unknown().exactOptional(),
  type: z.unknown().exactOptional(),
  const: z.unknown().exactOptional(),
  description: z.string().exactOptional(),
  [storedOnlyMark]: z.boolean().exactOptional(),
  [factMark]: z.boolean().exactOptional(),
});

/**
 * Returns each setting in a JSON Schema once, including those in nested objects and arrays of objects. Ignores facts
 * and members that can have only one value.
 * @param resolve returns the schema that a `$ref` points to, or undefined to treat the reference as one setting.
 */
export function settingsIn(schema: unknown, resolve: (reference: string) => unknown): readonly SettingDefinition[] {
  const walk = (value: unknown, path: string): readonly SettingDefinition[] => {
    const node = Node.parse(value);
    const { $ref, anyOf, properties, description } = node;
    if (node[factMark] === true) return [];
    if (node[storedOnlyMark] === true) return [{ path, isStoredOnly: true, ...(description !== undefined && { description }) }];
    const target = $ref === undefined ? undefined : resolve($ref);
    if (target !== undefined) return walk(target, path);
    if (anyOf !== undefined) return anyOf.flatMap((branch) => walk(branch, path));
    if (properties !== undefined) {
      return Object.entries(properties).flatMap(([name, member]) => walk(member, path === "" ? name : `${path}.${name}`));
    }
    const item = node.items === undefined ? undefined : Node.parse(node.items);
    if (item?.properties !== undefined || item?.$ref !== undefined) return walk(item, path);
    return node.type === "null" || node.const !== undefined ? [] : [{ path, isStoredOnly: false }];
  };
  const settings = walk(schema, "");
  return settings.filter(({ path }, index) => settings.findIndex((other) => other.path === path) === index);
}
