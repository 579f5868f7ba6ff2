/** The arrows of the architecture (see README, "Layout"): doors -> features -> domain; walls never meet. */
const walls = "^src/(storage|classroom|lms)/";
const doors = "^src/(web|webhooks|jobs)/";
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "kernel-knows-nobody",
      severity: "error",
      from: { path: "^src/kernel/" },
      to: { path: "^src/", pathNot: "^src/kernel/" },
    },
    {
      name: "domain-is-pure",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { path: "^src/", pathNot: "^src/(domain|kernel)/" },
    },
    {
      name: "domain-does-no-io",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "walls-see-domain-and-kernel",
      severity: "error",
      from: { path: walls },
      to: { path: "^src/", pathNot: "^src/(storage|classroom|lms|domain|kernel)/" },
    },
    {
      name: "storage-stands-alone",
      severity: "error",
      from: { path: "^src/storage/" },
      to: { path: "^src/(classroom|lms)/" },
    },
    {
      name: "classroom-stands-alone",
      severity: "error",
      from: { path: "^src/classroom/" },
      to: { path: "^src/(storage|lms)/" },
    },
    {
      name: "lms-stands-alone",
      severity: "error",
      from: { path: "^src/lms/" },
      to: { path: "^src/(storage|classroom)/" },
    },
    {
      name: "features-see-only-types-of-walls",
      severity: "error",
      from: { path: "^src/features/" },
      to: { path: walls, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "features-do-not-know-doors",
      severity: "error",
      from: { path: "^src/features/" },
      to: { path: "^src/(web|webhooks|jobs|sandbox|main|build-app|config|cli)" },
    },
    {
      name: "doors-see-only-types-of-walls",
      severity: "error",
      from: { path: doors },
      to: { path: walls, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "web-stands-alone",
      severity: "error",
      from: { path: "^src/web/" },
      to: { path: "^src/(webhooks|jobs)/" },
    },
    {
      name: "webhooks-stand-alone",
      severity: "error",
      from: { path: "^src/webhooks/" },
      to: { path: "^src/(web|jobs)/" },
    },
    {
      name: "jobs-stand-alone",
      severity: "error",
      from: { path: "^src/jobs/" },
      to: { path: "^src/(web|webhooks)/" },
    },
    {
      name: "sandbox-shares-no-code",
      severity: "error",
      from: { path: "^src/sandbox/stand-in-" },
      to: { path: "^src/", pathNot: "^src/(sandbox|kernel)/" },
    },
    {
      name: "nobody-needs-the-sandbox",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/sandbox/" },
      to: { path: "^src/sandbox/" },
    },
    {
      name: "only-lms-knows-ltijs",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/lms/" },
      to: { path: "node_modules/ltijs" },
    },
    {
      name: "only-storage-knows-mongoose",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/storage/" },
      to: { path: "node_modules/(mongoose|mingo|mongodb)" },
    },
    { name: "no-test-code-in-src", severity: "error", from: { path: "^src/" }, to: { path: "^test/" } },
    {
      name: "declared-packages-only",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-development-packages-in-the-tool",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
