import { library } from "../../tsup.base.ts";

export default library({ entry: { index: "src/index.ts", api: "src/operations/in-process/api.ts" } });
