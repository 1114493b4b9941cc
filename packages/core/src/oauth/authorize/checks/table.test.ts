import { expect, test } from "vitest";
import { checkClient, checkDocumentClient } from "./client.ts";
import { checkDeviceAudience } from "./device-audience.ts";
import { checkInvitation } from "./invitation.ts";
import { checkMalformed, checkMalformedAddress } from "./malformed.ts";
import { checkPushed, checkPushRequired } from "./pushed.ts";
import { checkRedirectUri } from "./redirect-uri.ts";
import { checkRequestObject, checkSignedLink } from "./request-object.ts";
import { checks, type Endpoint } from "./table.ts";

const checksOf = (endpoint: Endpoint) => checks.filter(({ endpoints }) => endpoints.includes(endpoint)).map(({ check }) => check);

/** All checks, except those that only other endpoints than `/authorize` run. */
const shared = checks.map(({ check }) => check).filter((check) => check !== checkSignedLink && check !== checkDeviceAudience);

test("/authorize runs every check, starting with those for the redirect URI", () => {
  expect(checksOf("/authorize")).toEqual(shared);
  const parameters = [checkMalformedAddress, checkPushed, checkDocumentClient, checkClient, checkPushRequired, checkRequestObject];
  expect(checksOf("/authorize").slice(0, 7)).toEqual([...parameters, checkRedirectUri]);
});

test("/oauth/par runs every check of /authorize except those for the browser's parameters", () => {
  const ofBrowser = [checkMalformedAddress, checkPushed, checkDocumentClient, checkPushRequired, checkRequestObject];
  expect(checksOf("/oauth/par")).toEqual(checksOf("/authorize").filter((check) => !ofBrowser.includes(check)));
});

test("/passwordless/start runs every check of /authorize except those for raw parameters and metadata documents", () => {
  const raw = [checkMalformedAddress, checkPushed, checkDocumentClient, checkRequestObject, checkMalformed];
  const links = checksOf("/passwordless/start").filter((check) => check !== checkSignedLink);
  expect(links).toEqual(shared.filter((check) => !raw.includes(check)));
});

test("/u/invitation checks only the invitation", () => {
  expect(checksOf("/u/invitation")).toEqual([checkInvitation]);
});
