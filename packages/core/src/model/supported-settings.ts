import * as z from "zod";
import { resourceServerSchema } from "./apis/resource-servers.ts";
import { clientSchema } from "./clients/bodies.ts";
import { connectionSchema } from "./connections/connections.ts";
import { unknownOptions } from "./connections/options.ts";
import { strategies } from "./connections/strategies.ts";
import { clientGrantSchema } from "./grants/client-grants.ts";
import { logStreamSchema } from "./logs/log-streams.ts";
import { organizationSchema, organizationConnectionSchema } from "./organizations/organizations.ts";
import { partialsSchema } from "./prompts/bodies.ts";
import { renderingSchema } from "./prompts/rendering.ts";
import { promptSettingsSchema } from "./prompts/settings.ts";
import { factMark, storedOnlyMark } from "./settings.ts";
import { bruteForceProtectionSchema, suspiciousIpThrottlingSchema } from "./tenant/attack-protection.ts";
import { brandingSchema } from "./tenant/branding.ts";
import { breachedPasswordDetectionSchema } from "./tenant/breached-passwords.ts";
import { customDomainSchema } from "./tenant/custom-domains.ts";
import { emailProviderSchema } from "./tenant/email-provider.ts";
import { emailTemplateSchema } from "./tenant/email-templates.ts";
import { pageTemplateSchema } from "./tenant/page-template.ts";
import { tenantSettingsReplySchema } from "./tenant/settings-bodies.ts";
import { themeSchema } from "./tenant/theme.ts";

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
  { title: "Client", schema: clientSchema },
  { title: "Client grant", schema: clientGrantSchema },
  { title: "API (resource server)", schema: resourceServerSchema },
  { title: "Connection", schema: connectionSchema.omit({ options: true }) },
  ...listStrategyOptions(),
  { title: "Options of any other strategy", schema: unknownOptions },
  { title: "Organization", schema: organizationSchema.omit({ enabled_connections: true }) },
  { title: "Connection of an organization", schema: organizationConnectionSchema },
  { title: "Tenant", schema: tenantSettingsReplySchema },
  { title: "Branding", schema: brandingSchema },
  { title: "Branding theme", schema: themeSchema },
  { title: "Prompts", schema: promptSettingsSchema },
  { title: "Partials of a prompt", schema: partialsSchema },
  { title: "Rendering of a screen", schema: renderingSchema },
  { title: "Page template of the login pages", schema: pageTemplateSchema },
  { title: "Brute-force protection", schema: bruteForceProtectionSchema },
  { title: "Suspicious IP throttling", schema: suspiciousIpThrottlingSchema },
  { title: "Breached-password detection", schema: breachedPasswordDetectionSchema },
  { title: "Custom domain", schema: customDomainSchema },
  { title: "Email provider", schema: emailProviderSchema },
  { title: "Email template", schema: emailTemplateSchema },
  { title: "Log stream", schema: logStreamSchema },
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
  const root = nodeSchema.parse(z.toJSONSchema(schema, { unrepresentable: "any" }));
  const definitions = z.record(z.string(), z.unknown()).parse(root["$defs"] ?? {});
  return settingsIn(root, (reference) => definitions[reference.replace("#/$defs/", "")]);
}

/** The JSON Schema keywords that {@link settingsIn} reads. */
const nodeSchema = z.looseObject({
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
    const node = nodeSchema.parse(value);
    const { $ref, anyOf, properties, description } = node;
    if (node[factMark] === true) return [];
    if (node[storedOnlyMark] === true) return [{ path, isStoredOnly: true, ...(description !== undefined && { description }) }];
    const target = $ref === undefined ? undefined : resolve($ref);
    if (target !== undefined) return walk(target, path);
    if (anyOf !== undefined) return anyOf.flatMap((branch) => walk(branch, path));
    if (properties !== undefined) {
      return Object.entries(properties).flatMap(([name, member]) => walk(member, path === "" ? name : `${path}.${name}`));
    }
    const item = node.items === undefined ? undefined : nodeSchema.parse(node.items);
    if (item?.properties !== undefined || item?.$ref !== undefined) return walk(item, path);
    return node.type === "null" || node.const !== undefined ? [] : [{ path, isStoredOnly: false }];
  };
  const settings = walk(schema, "");
  return settings.filter(({ path }, index) => settings.findIndex((other) => other.path === path) === index);
}
