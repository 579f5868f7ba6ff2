import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { readConfig } from "../../src/config.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const serviceSchema = z.object({
  image: z.string(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  networks: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  env_file: z.array(z.object({ path: z.literal(".env"), format: z.literal("raw") })).optional(),
  healthcheck: z.object({ test: z.array(z.string()).default([]) }).optional(),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal("ALL")]),
  security_opt: z.tuple([z.literal("no-new-privileges:true")]),
  stop_grace_period: z.string(),
  deploy: z.object({
    replicas: z.number().optional(),
    resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string(), pids: z.number() }) }),
  }),
});
const compose = z
  .object({
    services: z.record(z.string(), serviceSchema),
    networks: z.record(z.string(), z.unknown()),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(read("compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);
const balancer = read("deploy/haproxy.cfg");

describe("compose.yaml", () => {
  test("starts three instances of the tool with a replica set of three, each with limits and without rights", () => {
    expect(compose.services["tool"]?.deploy.replicas).toBe(3);
    const members = services
      .filter(([, { command }]) => command?.some((part) => part.includes("--replSet")))
      .map(([name]) => name);
    expect(members).toEqual(["mongo-1", "mongo-2", "mongo-3"]);
    const url = compose.services["tool"]?.environment["DATABASE_URL"];
    expect(url).toBe(
      `mongodb://spaces-lti:\${MONGO_PASSWORD:?set it in .env, see compose.yaml}@${members.map((name) => `${name}:27017`).join(",")}/spaces-lti?replicaSet=rs0&authSource=admin`,
    );
  });

  test("has a database that asks everybody for a password, and creates its users from the first member's network", () => {
    for (const name of ["mongo-1", "mongo-2", "mongo-3"])
      expect(compose.services[name]?.command?.at(-1), name).toContain("--keyFile /tmp/key");
    expect(compose.services["replica-set"]?.network_mode).toBe("service:mongo-1");
    const script = compose.services["replica-set"]?.command?.at(-1) ?? "";
    expect(() => new Script(script)).not.toThrow();
  });

  test("passes the tool's variables unchanged, and checks each lasting service", () => {
    // If compose expands them, a $ in a password is lost; the image of the tool has its own health check.
    expect(compose.services["tool"]?.env_file).toEqual([{ path: ".env", format: "raw" }]);
    expect(read("Dockerfile")).toContain("HEALTHCHECK");
    for (const name of ["balancer", "mongo-1", "mongo-2", "mongo-3"])
      expect(compose.services[name]?.healthcheck?.test[0], name).toBe("CMD");
  });

  test("names only existing networks, volumes, files and services", () => {
    for (const [name, service] of services) {
      for (const network of service.networks) expect(compose.networks, name).toHaveProperty([network]);
      const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on);
      for (const other of needed) expect(compose.services, name).toHaveProperty([other]);
      for (const volume of service.volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) expect(existsSync(join(root, source)), source).toBe(true);
        else expect(compose.volumes, name).toHaveProperty([source]);
      }
    }
    expect(existsSync(join(root, compose.services["tool"]?.build ?? "-", "Dockerfile"))).toBe(true);
  });

  test("gives the tool valid variables, and asks only for the two passwords of the database", () => {
    const given = compose.services["tool"]?.environment ?? {};
    const config = readConfig({
      PUBLIC_URL: "https://tool.test",
      SECRET_KEY: "a-secret-key-of-at-least-thirty-two-bytes",
      CLASSROOM_BASE_URL: "https://classroom.test",
      CLASSROOM_APP_URL: "https://classroom.test",
      CLASSROOM_API_KEY: "x".repeat(40),
      CLASSROOM_WEBHOOK_SECRET: "a-secret-nobody-uses",
      ...given,
      // As compose fills it in.
      DATABASE_URL: given["DATABASE_URL"]?.replace(/\$\{MONGO_PASSWORD[^}]*\}/, "f00"),
    });
    // The proxy with the certificate and the balancer.
    expect(config).toMatchObject({ trustProxy: 2, port: 3000 });
    expect(config.databaseUrl).toMatch(/^mongodb:\/\/spaces-lti:f00@mongo-1:/);
    const asked = [...read("compose.yaml").matchAll(/\$\{([^}]+)\}/g)].map(([, name = ""]) => name);
    const wanted = [
      ...new Set(asked.filter((name) => !name.includes(":-")).map((name) => name.split(":?")[0])),
    ];
    expect(wanted.toSorted()).toEqual(["MONGO_KEY", "MONGO_PASSWORD"]);
  });

  test("lets the balancer find the tool's port, and publishes the balancer's", () => {
    const port = compose.services["tool"]?.environment["PORT"] ?? "";
    expect([...balancer.matchAll(/server-template \S+ \d+ (\S+)/g)].map(([, to]) => to)).toEqual([
      `tool:${port}`,
      `tool:${port}`,
    ]);
    const bound = /bind :(\d+)/.exec(balancer)?.[1];
    expect(compose.services["balancer"]?.ports.map((one) => one.split(":").at(-1))).toEqual([bound]);
    expect(balancer).toContain("option httpchk GET /readyz");
    // If none is ready, no dead one is called.
    expect(balancer).toMatch(/backend unready\n +option httpchk GET \/healthz\n.*\n.* check /);
    expect(balancer).toContain("option forwardfor");
  });
});

describe("Dockerfile", () => {
  test("copies existing files, nothing that the image should not have, and runs as a user without rights", () => {
    const lines = read("Dockerfile").split("\n");
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(" ") ?? []);
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const admitted = read(".dockerignore").split("\n");
    expect(copied.filter((path) => !admitted.includes(`!${path}`))).toEqual([]);
    expect(copied.filter((path) => /^(sandbox|test)/.test(path))).toEqual([]);
    expect(lines).toContain("USER node");
  });
});

const workload = z.object({
  kind: z.literal("Deployment"),
  spec: z.object({
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            ports: z.tuple([z.object({ containerPort: z.number() })]),
            readinessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
            livenessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
            volumeMounts: z.array(z.object({ mountPath: z.string() })),
          }),
        ]),
      }),
    }),
  }),
});
const selecting = z.object({
  spec: z.object({
    selector: z.union([
      z.object({ matchLabels: z.record(z.string(), z.string()) }),
      z.record(z.string(), z.string()),
    ]),
  }),
});

describe("deploy", () => {
  const port = "3000";

  test("Kubernetes starts the tool where its probes, its service and its policy look for it", () => {
    const parts = parseAllDocuments(read("deploy/kubernetes.yaml")).map((part) =>
      z.unknown().parse(part.toJS()),
    );
    const [first, ...others] = parts;
    const { metadata, spec } = workload.parse(first).spec.template;
    const [tool] = spec.containers;
    const given = Object.fromEntries(tool.env.map(({ name, value }) => [name, value]));
    expect(given["PORT"]).toBe(String(tool.ports[0].containerPort));
    expect(tool.readinessProbe.httpGet.path).toBe("/readyz");
    expect(tool.livenessProbe.httpGet.path).toBe("/healthz");
    expect(tool.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/tmp", "/data"]);
    // Longer than the tool takes to stop, with the wait before it.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(35);
    const selected = others.flatMap((part) => {
      const { data } = selecting.safeParse(part);
      return data === undefined ? [] : [data.spec.selector];
    });
    expect(selected).toEqual([{ matchLabels: metadata.labels }, metadata.labels]);
  });

  test.each(["Caddyfile", "nginx.conf"])("%s passes everything to the tool's port", (name) => {
    expect(read(`deploy/${name}`)).toContain(`127.0.0.1:${port}`);
  });

  test("a proxy accepts the largest form", () => {
    const largest = 5; // MB: POST /course/grid/import
    for (const path of ["deploy/nginx.conf", "deploy/kubernetes.yaml"]) {
      const size = /body[-_]size:? (\d+)m/.exec(read(path))?.[1];
      expect(Number(size), path).toBeGreaterThan(largest);
    }
  });

  test("the service of systemd starts what npm start does, and gives it as long to stop", () => {
    const scripts = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(read("package.json")));
    const unit = read("deploy/spaces-lti.service");
    expect(unit).toContain(scripts.scripts.start.replace("exec node", "ExecStart=/usr/bin/node"));
    expect(unit).toContain("TimeoutStopSec=30");
  });
});
