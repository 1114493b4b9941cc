import { beforeAll, describe, expect, test } from "vitest";
import { errorParameters, successParameters } from "../support/flow.ts";
import {
  complete,
  requestAndSignIn,
  openCertificateWorld,
  returns,
  userinfoOf,
  variants,
  wait,
  type CertificateWorld,
  type Variant,
} from "./world.ts";

/** The modules that the plans Basic, Implicit, Hybrid and Form Post run with each of their response types. */

let world: CertificateWorld;
beforeAll(async () => {
  world = await openCertificateWorld();
});

const named = variants.map(
  (variant) => [`${variant.response_type}${variant.response_mode === undefined ? "" : " by form_post"}`, variant] as const,
);

describe.each(named)("%s", (_, variant: Variant) => {
  const isFront = returns(variant, "id_token");
  const hasAccess = returns(variant, "code") || returns(variant, "token");

  test("oidcc-server: ID tokens have the hashes that are required, and no unrequested claim", async () => {
    const { parameters, idTokens } = await complete(world, variant);
    const [front] = isFront ? idTokens : [];
    if (isFront) {
      expect(front?.["c_hash"] !== undefined).toBe(returns(variant, "code"));
      expect(front?.["at_hash"] !== undefined).toBe(returns(variant, "token"));
    }
    const protocol = ["acr", "amr", "at_hash", "aud", "auth_time", "c_hash", "exp", "iat", "iss", "nonce", "sid", "sub"];
    for (const claims of idTokens) expect(Object.keys(claims).filter((name) => !protocol.includes(name))).toEqual([]);
    // 43 characters of base64url are 256 bits.
    if (parameters["code"] !== undefined) expect(parameters["code"]).toMatch(/^[\w-]{43,}$/);
  });

  test("oidcc-ensure-request-without-nonce: succeeds without a front-channel ID token, and is rejected with one", async () => {
    if (!isFront) {
      const { idTokens } = await complete(world, variant, { nonce: undefined });
      for (const claims of idTokens) expect(claims).not.toHaveProperty("nonce");
      return;
    }
    const result = await requestAndSignIn(world, { ...variant, nonce: undefined });
    expect(errorParameters(result)).toMatchObject({ error: "invalid_request", state: "st-1" });
    expect(result).toMatchObject({ mode: variant.response_mode ?? "fragment" });
  });

  test.each([
    ["profile", ["name", "family_name", "given_name", "middle_name", "nickname", "picture", "profile", "website"]],
    ["profile", ["gender", "birthdate", "zoneinfo", "locale", "updated_at"]],
    ["email", ["email", "email_verified"]],
    ["address", ["address"]],
  ] as const)("oidcc-scope-%s: returns the claims of the scope at userinfoOf, or in the only token", async (scope, claims) => {
    const outcome = await complete(world, variant, { scope: `openid ${scope}` });
    const found = hasAccess ? await userinfoOf(world, outcome) : outcome.idTokens[0];
    for (const name of claims) expect(found).toHaveProperty(name);
    if (hasAccess) for (const idToken of outcome.idTokens) expect(idToken).not.toHaveProperty("email");
  });

  test("oidcc-scope-all: every scope at once succeeds", async () => {
    const outcome = await complete(world, variant, { scope: "openid profile email address phone" });
    const found = hasAccess ? await userinfoOf(world, outcome) : outcome.idTokens[0];
    expect(found).toMatchObject({ updated_at: expect.any(Number), email_verified: true, address: { country: "United Kingdom" } });
  });

  test("oidcc-prompt-none-not-logged-in: is an error, and oidcc-prompt-none-logged-in: succeeds with the same subject and auth_time", async () => {
    const result = await requestAndSignIn(world, { ...variant, prompt: "none" });
    expect(errorParameters(result)["error"]).toMatch(/^(login|interaction|consent)_required$|^account_selection_required$/);
    const browser = world.browser();
    const before = await complete(world, variant, {}, browser);
    wait(world, 2);
    const after = await complete(world, variant, { prompt: "none" }, browser);
    const facts = ({ idTokens: [claims] }: typeof before) => [claims?.sub, claims?.["auth_time"]];
    expect(facts(after)).toEqual(facts(before));
  });

  test("oidcc-max-age-1 and oidcc-prompt-login: sign the user in again, with a later auth_time", async () => {
    const browser = world.browser();
    const [times, requests] = [[] as number[], [{}, { max_age: "1" }, { prompt: "login" }]];
    for (const request of requests) {
      const { idTokens } = await complete(world, variant, request, browser);
      times.push(Number(idTokens[0]?.["auth_time"]));
      wait(world, 3);
    }
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(new Set(times).size).toBe(3);
  });

  test("oidcc-max-age-10000: needs no new login, and auth_time stays", async () => {
    const browser = world.browser();
    const first = await complete(world, variant, { max_age: "15000" }, browser);
    wait(world, 2);
    const second = await requestAndSignIn(world, { ...variant, max_age: "10000", prompt: "none" }, browser);
    expect(successParameters(second)).toHaveProperty("state");
    const { idTokens } = await complete(world, variant, { max_age: "10000" }, browser);
    expect(idTokens[0]?.["auth_time"]).toBe(first.idTokens[0]?.["auth_time"]);
  });

  test("oidcc-id-token-hint: prompt=none with the hint succeeds with the same subject", async () => {
    const browser = world.browser();
    const first = await complete(world, variant, {}, browser);
    const hint = first.parameters["id_token"] ?? first.exchanged?.id;
    const second = await complete(world, variant, { prompt: "none", id_token_hint: hint }, browser);
    expect(second.idTokens[0]?.sub).toBe(first.idTokens[0]?.sub);
  });
});
