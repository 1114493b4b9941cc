import { expect, test } from "vitest";
import { checkClient, checkDocumentClient } from "./client.ts";
import { checkDeviceAudience } from "./device-audience.ts";
import { checkInvitation } from "./invitation.ts";
import { checkMalformed, checkMalformedAddress } from "./malformed.ts";
import { checkPushed, checkPushRequired } from "./pushed.ts";
import { checkRedirectUri } from "./redirect-uri.ts";
import { checks, type Endpoint } from "./table.ts";

const checksOf = (endpoint: Endpoint) => checks.filter(({ endpoints }) => endpoints.includes(endpoint)).map(({ check }) => check);

test("/authorize runs every check except that of a device's API, starting with those for the redirect URI", () => {
  const all = checks.map(({ check }) => check);
  expect(checksOf("/authorize")).toEqual(all.filter((check) => check !== checkDeviceAudience));
  const first = [checkMalformedAddress, checkPushed, checkDocumentClient, checkClient, checkPushRequired, checkRedirectUri];
  expect(checksOf("/authorize").slice(0, 6)).toEqual(first);
});

test("/oauth/par runs every check of /authorize except those for the browser's parameters", () => {
  const ofBrowser = [checkMalformedAddress, checkPushed, checkDocumentClient, checkPushRequired];
  expect(checksOf("/oauth/par")).toEqual(checksOf("/authorize").filter((check) => !ofBrowser.includes(check)));
});

test("/passwordless/start runs every check of /authorize except those for raw parameters and metadata documents", () => {
  const raw = [checkMalformedAddress, checkPushed, checkDocumentClient, checkMalformed];
  expect(checksOf("/passwordless/start")).toEqual(checksOf("/authorize").filter((check) => !raw.includes(check)));
});

test("/u/invitation checks only the invitation", () => {
  expect(checksOf("/u/invitation")).toEqual([checkInvitation]);
});
