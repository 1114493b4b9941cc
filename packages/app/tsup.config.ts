import { library } from "../../tsup.base.ts";

export default library({ entry: { index: "src/index.ts", service: "src/service.ts" } });
