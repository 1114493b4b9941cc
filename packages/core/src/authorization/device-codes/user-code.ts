import { randomCharacters } from "../../adapters/random.ts";
import type { TenantContext } from "../../context.ts";
import { charactersIn, defaultUserCodeCharset, userCodeFormats } from "../../model/tenant/device-flow.ts";

/**
 * Creates a user code in the format of the tenant's setting `device_flow`. Its `charset` and `mask` decide the
 * characters and the separators.
 */
export function createUserCode(tenant: TenantContext): string {
  const { alphabet, mask } = formatOf(tenant);
  return formatUserCode(tenant, randomCharacters(tenant.random, alphabet, charactersIn(mask)));
}

/** Returns a user code that a visitor typed as their device displays it, for comparison. */
export function formatUserCode(tenant: TenantContext, typed: string): string {
  const { mask } = formatOf(tenant);
  const characters = charactersOfUserCode(typed);
  // The mask may have changed since the code was created.
  if (characters.length !== charactersIn(mask)) return characters;
  let next = 0;
  return mask.replaceAll("*", () => characters.charAt(next++));
}

/** Returns how a tenant's user codes look: their characters, and the mask in which each `*` is a character. */
function formatOf({ settings }: TenantContext): { readonly alphabet: string; readonly mask: string } {
  const { charset = defaultUserCodeCharset, mask } = settings.device_flow ?? {};
  const format = userCodeFormats[charset];
  return { alphabet: format.alphabet, mask: mask ?? format.mask };
}

/** The maximum number of characters that a visitor can enter as a user code. */
export const longestUserCode = 100;

/**
 * Returns the characters of a user code as they are hashed: in upper case, without separators. Users type codes from
 * another screen, with or without them (RFC 8628 section 6.1).
 */
export function charactersOfUserCode(typed: string): string {
  return typed
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
}

/**
 * Returns the hash under which a user code is stored. A user code is short, so the hash is keyed: a reader of the
 * database cannot try all codes.
 */
export function hashUserCode({ secrets, data }: TenantContext, code: string): Promise<string> {
  return secrets.fingerprints.of("user code", data.tenantId, charactersOfUserCode(code));
}
