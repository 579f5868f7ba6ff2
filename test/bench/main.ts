import { benchLaunches } from "./launch-bench.ts";
import { benchRoster } from "./roster-bench.ts";
import { benchStorage } from "./storage-bench.ts";

console.table(await benchStorage());
console.table(await benchRoster());
console.table(await benchLaunches());
