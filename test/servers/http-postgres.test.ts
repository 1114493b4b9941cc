import { describe } from "vitest";
import { ownPostgres } from "../../packages/kysely/test/servers.ts";
import { holdsOn } from "../support/on-server.ts";

describe("on PostgreSQL", () => holdsOn((name) => ownPostgres(`http_${name}`)));
