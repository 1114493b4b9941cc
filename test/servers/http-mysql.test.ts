import { describe } from "vitest";
import { ownMysql } from "../../packages/kysely/test/servers.ts";
import { holdsOn } from "../support/on-server.ts";

describe("on MariaDB", () => holdsOn((name) => ownMysql(`http_${name}`)));
