import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import { codeGrant, login, obtainTokens, offline, openService, refreshGrant, tokens, type LoginService } from "../support/flow.ts";
import { clientSecret, managementAudience } from "../support/postern.ts";
import { stores } from "../protocol/stores.ts";
import { athOf, createProver, type Prover } from "./prover.ts";

describe.each(stores)("a proof costs one statement more on $name:", ({ open }) => {
  let data: CountingAdapter;
  let service: LoginService;
  let prover: Prover;

  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openService({ data });
    prover = await createProver(service);
    // Fills the cache of settings, and creates the signing key.
    await obtainTokens(service, service.web, service.ada, offline);
  });
  afterAll(() => data.close?.());

  const proofHeader = async (method: string, path: string, token?: string) => ({
    dpop: await prover.prove(method, path, token === undefined ? {} : { ath: athOf(token) }),
  });
  const codeFor = async (): Promise<string> => stringMember(await login(service.browser(), service.web, service.ada), "code");
  const credentials = {
    grant_type: "client_credentials",
    client_id: "main-manager",
    client_secret: clientSecret,
    audience: managementAudience,
  };
  /** Returns the statements of a request, and those of the request with a proof. */
  const compare = async (without: () => Promise<unknown>, withProof: () => Promise<unknown>) => [
    (await data.costOf(without)).statements.toSorted(),
    (await data.costOf(withProof)).statements.toSorted(),
  ];
  const plusProof = (statements: readonly string[] = []) => [...statements, "used_assertions.insert"].toSorted();

  test("at the token endpoint", async () => {
    const dpop = await proofHeader("POST", "/oauth/token");
    const bodies = await Promise.all([1, 2].map(async () => codeGrant(service.web, await codeFor())));
    const [bearer, bound] = await compare(
      async () => tokens(await service.exchange(bodies[0] ?? {})),
      async () => tokens(await service.exchange(bodies[1] ?? {}, dpop)),
    );
    expect(bound).toEqual(plusProof(bearer));
  });

  test("at a refresh", async () => {
    const [first, second] = [
      await obtainTokens(service, service.web, service.ada, offline),
      await obtainTokens(service, service.web, service.ada, offline),
    ];
    const dpop = await proofHeader("POST", "/oauth/token");
    const [bearer, bound] = await compare(
      async () => tokens(await service.exchange(refreshGrant(service.web, String(first.refresh)))),
      async () => tokens(await service.exchange(refreshGrant(service.web, String(second.refresh)), dpop)),
    );
    expect(bound).toEqual(plusProof(bearer));
  });

  test("at the Management API", async () => {
    const bearerToken = await service.token();
    const reply = await service.exchange(credentials, await proofHeader("POST", "/oauth/token"));
    const { access: token } = tokens(reply);
    const headers = { authorization: `DPoP ${token}`, ...(await proofHeader("GET", "/api/v2/users", token)) };
    const [bearer, bound] = await compare(
      async () => expect((await service.call("GET", "/api/v2/users", { token: bearerToken })).status).toBe(200),
      async () => expect((await service.call("GET", "/api/v2/users", { headers })).status).toBe(200),
    );
    expect(bound).toEqual(plusProof(bearer));
  });

  test("at /userinfo", async () => {
    const code = await codeFor();
    const { access: token } = tokens(await service.exchange(codeGrant(service.web, code), await proofHeader("POST", "/oauth/token")));
    const { access: bearerToken } = await obtainTokens(service, service.web, service.ada);
    const headers = { authorization: `DPoP ${token}`, ...(await proofHeader("GET", "/userinfo", token)) };
    const [bearer, bound] = await compare(
      async () => expect((await service.userinfo(bearerToken)).status).toBe(200),
      async () => expect((await service.call("GET", "/userinfo", { headers })).status).toBe(200),
    );
    expect(bound).toEqual(plusProof(bearer));
  });
});
