import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { type ModelName, modelOf, TemplateCode } from "./template-code.ts";

/** What is wrong with a template, and where. */
export type Finding = { template: string; line: number; text: string };

type Template = { path: string; text: string; model: ModelName };

const suffix = ".checked.ts";

/**
 * Checks templates against the types that they name, all in one program of the compiler.
 * @param root Folder of the project; the types' files are named from there.
 * @param paths Of the templates, absolute; those that name no type are left out.
 */
export function checkTemplates(root: string, paths: readonly string[]): Finding[] {
  const templates = new Map(
    paths.flatMap((path): [string, Template][] => {
      const text = readFileSync(path, "utf8");
      const model = modelOf(text);
      return model === null ? [] : [[path, { path, text, model }]];
    }),
  );
  const compile = compiler(root);
  const heads = new Map([...templates.values()].map((one) => [one.path + suffix, headOf(root, one)]));
  const names = propertiesOf(compile(heads));
  const codes = new Map(
    [...templates.values()].map((template) => [
      template.path + suffix,
      codeOf(root, template, templates, names.get(template.path + suffix) ?? []),
    ]),
  );
  const program = compile(new Map([...codes].map(([path, code]) => [path, code.text])));
  return [...codes].flatMap(([path, code]) => {
    const { text } = templates.get(path.slice(0, -suffix.length)) ?? { text: "" };
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => ({
        template: relative(root, path.slice(0, -suffix.length)),
        line: text.slice(0, code.sourceAt(start)).split("\n").length,
        text: withAdvice(ts.flattenDiagnosticMessageText(messageText, " ")),
      }),
    );
  });
}

/** Inference turns 'tone: bad ? "wait" : "good"' into any text, while the template wants one of two words. */
function withAdvice(text: string): string {
  return /'string' is not assignable to type '[^']*"/.test(text)
    ? `${text} One of several words has become any text: write the return type of the function that makes it.`
    : text;
}

/** A compiler that has some files in memory, and reads all others once. */
function compiler(root: string): (files: ReadonlyMap<string, string>) => ts.Program {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  // Small functions within templates name no types.
  const settings: ts.CompilerOptions = { ...options, noImplicitAny: false, skipLibCheck: true };
  const read = new Map<string, ts.SourceFile | undefined>();
  const host = ts.createCompilerHost(settings);
  return (files) => {
    const inMemory: ts.CompilerHost = {
      ...host,
      fileExists: (path) => files.has(path) || host.fileExists(path),
      readFile: (path) => files.get(path) ?? host.readFile(path),
      getSourceFile: (path, target) => {
        const text = files.get(path);
        if (text !== undefined) return ts.createSourceFile(path, text, target, true);
        if (!read.has(path)) read.set(path, host.getSourceFile(path, target));
        return read.get(path);
      },
    };
    return ts.createProgram([...files.keys()], settings, inMemory);
  };
}

function headOf(root: string, { model }: Pick<Template, "model">): string {
  return [
    `import type { ${model.name} as Model } from ${JSON.stringify(join(root, model.file))};`,
    `import type { TemplateLocals } from ${JSON.stringify(join(root, "src/web/view.ts"))};`,
    "declare const locals: Model & TemplateLocals;",
    "export type Shown = typeof locals;",
    "",
  ].join("\n");
}

/** The names of each template's values. */
function propertiesOf(program: ts.Program): Map<string, string[]> {
  const checker = program.getTypeChecker();
  return new Map(
    program.getSourceFiles().flatMap((file): [string, string[]][] => {
      const shown = file.statements.find(
        (one) => ts.isTypeAliasDeclaration(one) && one.name.text === "Shown",
      );
      if (shown === undefined || !file.fileName.endsWith(suffix)) return [];
      const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(shown));
      return [[file.fileName, properties.map(({ name }) => name)]];
    }),
  );
}

function codeOf(
  root: string,
  template: Template,
  templates: ReadonlyMap<string, Template>,
  names: readonly string[],
): TemplateCode {
  const code = new TemplateCode(template.text);
  const head = [headOf(root, template)];
  const included = new Map<string, string>();
  code.checkIncludes((name) => {
    if (name === null) return "include_needs_a_literal_name";
    const found = templates.get(`${resolve(dirname(template.path), name)}.ejs`);
    if (found === undefined) return "includeUntyped";
    const known = included.get(name);
    if (known !== undefined) return known;
    const [type, call] = [`Included${String(included.size)}`, `include${String(included.size)}`];
    head.push(
      `import type { ${found.model.name} as ${type} } from ${JSON.stringify(join(root, found.model.file))};`,
      `declare function ${call}(locals: ${type}): string;`,
    );
    included.set(name, call);
    return call;
  });
  code.prepend(
    [
      ...head,
      "declare function includeUntyped(locals: object): string;",
      "declare function write(value: string | number): void;",
      "declare function writeRaw(value: string): void;",
      `const { ${names.join(", ")} } = locals;`,
      "{\n",
    ].join("\n"),
  );
  code.append("}\nexport {};\n");
  return code;
}
