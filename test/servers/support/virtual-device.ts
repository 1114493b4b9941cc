import type { Browser, CDPSession, Page } from "playwright-core";
import { expect } from "vitest";
import { list, type Manager } from "../../support/api.ts";

/** The transport of a virtual authenticator: built into the device, a phone nearby, or a security key. */
export type Transport = "internal" | "hybrid" | "usb";

/** A page with virtual authenticators. */
export interface VirtualDevice {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Adds an authenticator that confirms each request at once. @returns its id. */
  add(transport: Transport): Promise<string>;
}

export interface DeviceSettings {
  readonly javaScriptEnabled?: boolean;
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly locale?: string;
  readonly reducedMotion?: "reduce";
  /** Whether the browser picks a passkey in the field for the identifier, as soon as the page is shown. */
  readonly autofill?: boolean;
}

/** Opens a page in a new browser context, which the caller closes. */
export async function openVirtualDevice(
  browser: Browser,
  { width = 1280, locale = "en-US", autofill = false, ...options }: DeviceSettings = {},
): Promise<VirtualDevice> {
  const context = await browser.newContext({ ...options, locale, ignoreHTTPSErrors: true, viewport: { width, height: 800 } });
  if (!autofill)
    await context.addInitScript(`if (self.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;`);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const add = async (transport: Transport) => {
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return authenticatorId;
  };
  return { page, cdp, add };
}

/** Enables passkeys, beside passwords, on the tenant's database connection. */
export async function enablePasskeys(manage: Manager): Promise<void> {
  const [connection] = list(await manage("GET", "/api/v2/connections"));
  const options = {
    ...Object(connection?.["options"]),
    authentication_methods: { password: { enabled: true }, passkey: { enabled: true } },
  };
  expect((await manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options })).status).toBe(200);
}
