import { describe } from "vitest";
import { ownMysql } from "../../packages/kysely/test/servers.ts";
import { testOnServer } from "../support/on-server.ts";

describe("on MariaDB", () => testOnServer((name) => ownMysql(`http_${name}`)));
