import { library } from "../../tsup.base.ts";

export default library({
  entry: {
    index: "src/index.ts",
    adapter: "src/adapter.ts",
    glue: "src/glue.ts",
    api: "src/operations/in-process/api.ts",
    testing: "src/testing.ts",
  },
});
