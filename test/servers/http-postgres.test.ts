import { describe } from "vitest";
import { ownPostgres } from "../../packages/kysely/test/servers.ts";
import { testOnServer } from "../support/on-server.ts";

describe("on PostgreSQL", () => testOnServer((name) => ownPostgres(`http_${name}`)));
