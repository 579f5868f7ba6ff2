import { createServer, type Server } from "node:http";
import { describe, expect, test } from "vitest";
import { registerByDynamicRegistration } from "../../../src/lms/dynamic-registration.ts";
import {
  createOutsideFetch,
  isPublicAddress,
  outsideAddress,
  type Resolve,
} from "../../../src/lms/outside-fetch.ts";
import { startRegistering } from "../../support/stand-ins/registering-lms.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

let world: Awaited<ReturnType<typeof startRegistering>>;
forEachTest(async () => (world = await startRegistering()));

/** A name service that gives these answers one after another, and the last one forever. */
function resolving(...answers: string[][]): { resolve: Resolve; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    resolve: (_name, _options, callback) => {
      const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    },
  };
}

describe("An address is on the public internet", () => {
  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "0.0.0.0",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "3fff::1",
    "localhost",
    "1.2.3",
    "",
  ])("%s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%s is",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("An LMS's address is refused before anything is sent", () => {
  test.each<[string, RegExp]>([
    ["https://127.0.0.1/", /public internet/],
    ["https://127.1/", /public internet/],
    ["https://2130706433/", /public internet/],
    ["https://0x7f000001/", /public internet/],
    ["https://0177.0.0.1/", /public internet/],
    ["https://127.0.0.1./", /public internet/],
    ["https://127。0。0。1/", /public internet/],
    ["https://0/", /public internet/],
    ["https://169.254.169.254/latest/meta-data", /public internet/],
    ["https://[::1]/", /public internet/],
    ["https://[::ffff:127.0.0.1]/", /public internet/],
    ["https://[::ffff:a9fe:a9fe]/", /public internet/],
    ["https://[64:ff9b::a00:1]/", /public internet/],
    ["https://[fd00::1]/", /public internet/],
    ["https://localhost/", /public internet/],
    ["https://LOCALHOST./", /public internet/],
    ["https://a.localhost/", /public internet/],
    ["https://ⓛocalhost/", /public internet/],
    ["https://lms.example:22/", /port of https/],
    ["https://lms.example:25/", /port of https/],
    ["https://lms.example:80/", /port of https/],
    ["https://user@lms.example/", /user name or password/],
    ["https://lms.example@127.0.0.1/", /user name or password/],
    ["https://:secret@lms.example/", /user name or password/],
    ["http://lms.example/", /https:\/\//],
    ["ftp://lms.example/", /full web address/],
    ["file:///etc/passwd", /full web address/],
    ["javascript:alert(1)", /full web address/],
    ["//lms.example/", /full web address/],
    ["lms.example", /full web address/],
    ["", /full web address/],
  ])("%s", (address, words) => {
    expect(() => outsideAddress(address, false, "It")).toThrow(words);
  });

  test.each([
    "https://lms.example/",
    "https://lms.example:8443/a",
    "https://[2606:4700::1111]/",
    "https://8.8.8.8/",
  ])("but not %s", (address) => {
    expect(outsideAddress(address, false, "It").href).toBe(address);
  });

  test("even in the configuration of an otherwise correct LMS", async () => {
    const issuer = "https://lms.example";
    const good = {
      ...world.lms.configuration,
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      registration_endpoint: `${issuer}/register`,
    };
    for (const field of ["authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"]) {
      const sent: string[] = [];
      const answers: typeof fetch = (input) => {
        sent.push(new Request(input).url);
        return Promise.resolve(Response.json({ ...good, [field]: "https://169.254.169.254/" }));
      };
      await expect(
        registerByDynamicRegistration(
          { ...world.deps, fetch: answers, allowPrivate: false },
          { ...world.request, openidConfigurationUrl: `${issuer}/config` },
        ),
      ).rejects.toMatchObject({ code: "bad-address" });
      expect(sent).toEqual([`${issuer}/config`]);
    }
  });
});

/** A public address that nobody has used since 2006 (6bone): nothing answers. */
const nobody = "3ffe::1";

describe("A connection", () => {
  test("is not made to a private address behind a public name", async () => {
    for (const address of [
      "127.0.0.1",
      "169.254.169.254",
      "10.0.0.1",
      "::1",
      "::ffff:127.0.0.1",
      "fd00::1",
    ]) {
      const outside = createOutsideFetch(false, resolving([address]).resolve);
      await expect(outside("https://lms.example/config")).rejects.toMatchObject({ code: "EPRIVATE" });
    }
    await expect(createOutsideFetch(false)(`${world.url}/config`)).rejects.toMatchObject({
      code: "bad-address",
    });
    expect(world.seen).toEqual([]);
  });

  test("is not made to a name without an address", async () => {
    await expect(
      createOutsideFetch(false, resolving([]).resolve)("https://lms.example/"),
    ).rejects.toMatchObject({ code: "EPRIVATE" });
  });

  test("goes to the very address that was checked: the name is resolved once", async () => {
    const names = resolving([nobody], ["127.0.0.1"]);
    const server = await startCounting();
    const outside = createOutsideFetch(false, names.resolve);
    await expect(
      outside(`https://lms.example:${server.port}/`, { signal: AbortSignal.timeout(300) }),
    ).rejects.toThrow();
    expect(names.asked()).toBe(1);
    expect(server.connections()).toBe(0);
    await closed(server.server);
  });

  test("skips the private ones of several addresses", async () => {
    const server = await startCounting();
    const outside = createOutsideFetch(false, resolving(["127.0.0.1", nobody]).resolve);
    await expect(
      outside(`https://lms.example:${server.port}/`, { signal: AbortSignal.timeout(300) }),
    ).rejects.toThrow();
    expect(server.connections()).toBe(0);
    await closed(server.server);
  });

  test("does not follow a redirect", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: `${world.url}/secret` });
      response.end();
    });
    const url = await listening(server);
    expect((await createOutsideFetch(true)(url)).status).toBe(302);
    await expect(
      registerByDynamicRegistration(world.deps, { ...world.request, openidConfigurationUrl: url }),
    ).rejects.toMatchObject({ code: "registration-refused" });
    expect(world.seen).toEqual([]);
    await closed(server);
  });
});

/** A server that counts its connections. */
async function startCounting(): Promise<{ server: Server; port: string; connections: () => number }> {
  let connections = 0;
  const server = createServer();
  server.on("connection", (socket) => {
    connections += 1;
    socket.destroy();
  });
  const { port } = new URL(await listening(server));
  return { server, port, connections: () => connections };
}
