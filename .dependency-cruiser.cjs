/**
 * The arrows of the house (src/README.md has them in words). A capability is a module: `rules` (pure), `store` (mongoose),
 * `pages`, and its use cases. Use cases ask those of modules that stand before their own in this order; pages ask anybody's.
 */
const order = [
  "registration",
  "audit",
  "accounts",
  "courses",
  "members",
  "spaces",
  "scheduling",
  "presence",
  "grading",
  "attendance",
  "cohorts",
  "recordings",
  "analytics",
  "unplanned",
  "alerts",
  "matching",
  "links",
  "joining",
  "feedback",
  "check-in",
  "privacy",
  "usage",
  "api",
  "operations",
  "mail",
  "launch",
  "guides",
  "console",
];
/** What LMS products can do: facts without I/O, which everything above the domain may ask. */
const capabilities = "^src/lms/products/products\\.ts$";
const walls = "^src/(classroom|lms)/";
const rules = "^src/(inbox|modules/[^/]+)/rules/";
const stores = "^src/(inbox|modules/[^/]+)/store/";
const pages = "^src/modules/[^/]+/pages/";
const useCases = "^src/modules/[^/]+/(?!index\\.ts$)[^/]+\\.ts$";
/** What a module, or the inbox, gives to the tool. */
const indexes = "^src/(modules/[^/]+|inbox)/index\\.ts$";
const shared = "^src/(kernel|domain|settings)/";
/** What is put together from everything: the files of the top level, and the command line. */
const composition = ["^src/[^/]+\\.ts$", "^src/cli/"];

/** What the demo takes of the tool: invitations for its stand-in LMS. */
const ofTheTool = [
  "^src/kernel/",
  "^src/open-stores\\.ts$",
  "^src/storage/open-database\\.ts$",
  "^src/modules/registration/registrations\\.ts$",
];
const programs = "^(src|sandbox)/";

const forbidden = (name, from, to) => ({ name, severity: "error", from, to });
const valuesOnly = { dependencyTypesNot: ["type-only"] };

module.exports = {
  forbidden: [
    // A circle that only types close is none at run time.
    forbidden("no-cycles", {}, { circular: true, viaOnly: valuesOnly }),
    forbidden("kernel-knows-nobody", { path: "^src/kernel/" }, { path: "^src/", pathNot: "^src/kernel/" }),
    forbidden(
      "domain-and-settings-are-pure",
      { path: "^src/(domain|settings)/" },
      { path: "^src/", pathNot: shared },
    ),
    forbidden(
      "domain-knows-settings-by-type",
      { path: "^src/domain/" },
      { path: "^src/settings/", ...valuesOnly },
    ),
    forbidden("rules-are-pure", { path: rules }, { path: "^src/", pathNot: [shared, rules] }),
    forbidden("rules-do-no-io", { path: ["^src/(domain|settings)/", rules] }, { dependencyTypes: ["core"] }),
    forbidden(
      "the-engine-knows-no-module",
      { path: "^src/storage/" },
      { path: "^src/", pathNot: [shared, rules, "^src/storage/"] },
    ),
    forbidden(
      "stores-see-rules-and-the-engine",
      { path: stores },
      { path: "^src/", pathNot: [shared, rules, stores, "^src/storage/"] },
    ),
    forbidden("walls-see-rules", { path: walls }, { path: "^src/", pathNot: [shared, rules, walls] }),
    forbidden(
      "lms-products-do-no-io",
      { path: "^src/lms/products/" },
      {
        path: ["^src/", "node_modules/"],
        pathNot: [shared, "^src/lms/(products/|scopes\\.ts$)"],
        ...valuesOnly,
      },
    ),
    forbidden("lms-products-do-no-io-of-node", { path: "^src/lms/products/" }, { dependencyTypes: ["core"] }),
    forbidden("lms-stands-alone", { path: "^src/lms/" }, { path: "^src/classroom/" }),
    forbidden("classroom-stands-alone", { path: "^src/classroom/" }, { path: "^src/lms/" }),
    forbidden(
      "use-cases-see-only-types-of-walls-and-stores",
      { path: [useCases, indexes, "^src/(tasks|inbox)/[^/]+\\.ts$"] },
      { path: [walls, stores, "^src/storage/"], pathNot: capabilities, ...valuesOnly },
    ),
    forbidden("use-cases-know-no-pages", { path: useCases }, { path: [pages, "^src/web/"] }),
    ...order
      .slice(0, -1)
      .map((name, at) =>
        forbidden(
          `${name}-asks-only-who-stands-before-it`,
          { path: `^src/modules/${name}/[^/]+\\.ts$` },
          { path: `^src/modules/(${order.slice(at + 1).join("|")})/[^/]+\\.ts$` },
        ),
      ),
    forbidden("modules-are-in-the-order", { path: `^src/modules/(?!(${order.join("|")})/)` }, { path: "." }),
    forbidden(
      "pages-see-only-types-of-walls-and-stores",
      { path: pages },
      { path: [walls, stores, "^src/storage/"], pathNot: capabilities, ...valuesOnly },
    ),
    forbidden(
      "only-a-module-mounts-its-routes",
      { path: "^src/(modules/([^/]+)/|compose\\.ts$)" },
      { path: "^src/modules/[^/]+/pages/.*-routes\\.ts$", pathNot: "^src/modules/$2/", ...valuesOnly },
    ),
    forbidden(
      "the-frame-of-pages-sees-only-types-of-modules",
      { path: "^src/web/" },
      { path: "^src/", pathNot: [shared, rules, capabilities, "^src/web/"], ...valuesOnly },
    ),
    forbidden(
      "tasks-know-no-module",
      { path: "^src/tasks/" },
      { path: "^src/(modules|inbox|web)/", pathNot: [rules, stores] },
    ),
    forbidden("the-inbox-knows-no-pages", { path: "^src/inbox/" }, { path: pages }),
    forbidden(
      "nobody-asks-who-puts-together",
      { path: "^src/[^/]+/", pathNot: "^src/cli/" },
      { path: composition, ...valuesOnly },
    ),
    forbidden("stand-ins-share-no-code", { path: "^sandbox/stand-in-" }, { path: "^src/(?!kernel/)" }),
    forbidden("the-demo-only-invites", { path: "^sandbox/" }, { path: "^src/", pathNot: ofTheTool }),
    forbidden("nobody-needs-the-sandbox", { path: "^src/" }, { path: "^sandbox/" }),
    forbidden(
      "only-lms-knows-ltijs",
      { path: programs, pathNot: "^src/lms/" },
      { path: "node_modules/ltijs" },
    ),
    forbidden(
      "only-stores-know-mongoose",
      { path: programs, pathNot: ["^src/storage/", stores, "^src/open-stores\\.ts$"] },
      { path: "node_modules/(mongoose|mingo|mongodb)" },
    ),
    forbidden("no-test-code-in-programs", { path: programs }, { path: "^test/" }),
    forbidden(
      "declared-packages-only",
      { path: programs },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    ),
    forbidden(
      "no-development-packages-in-the-tool",
      { path: "^src/" },
      { dependencyTypes: ["npm-dev"], ...valuesOnly },
    ),
    forbidden("resolvable", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
