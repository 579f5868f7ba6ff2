import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A module in a bundle still looks for the files beside it where its source is. */
const staysWhereItIs: Plugin = {
  name: "stays-where-it-is",
  transform: {
    filter: { code: /import\.meta\.url|__dirname/ },
    handler: (code, id) =>
      code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("__dirname", JSON.stringify(dirname(id))),
  },
};

/** Removes comments and spaces, a third of the file, and nothing else: a start then takes an eighth less CPU, and names in logs stay. */
const onlyLayout = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

/**
 * Writes the tool and its packages as one file. It does what src/main.ts does; starting it takes half the CPU, since most of a normal start
 * goes into finding and loading three thousand files, and stories start it hundreds of times. @returns The file's path.
 */
export async function bundleTool(folder: string): Promise<string> {
  const file = join(folder, "tool.mjs");
  await build({
    input: join(root, "src/main.ts"),
    platform: "node",
    // A package may have the name of a deprecated Node module.
    resolve: { alias: { punycode: join(root, "node_modules/punycode/punycode.js") } },
    plugins: [staysWhereItIs],
    output: { file, format: "esm", codeSplitting: false, minify: onlyLayout },
    logLevel: "silent",
  });
  return file;
}
