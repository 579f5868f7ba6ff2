import { benchStorage } from "./storage-bench.ts";

console.table(await benchStorage());
