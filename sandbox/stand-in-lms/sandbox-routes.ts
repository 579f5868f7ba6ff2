// Imitates nothing.
import type { Express } from "express";
import express from "express";
import { faultSchema } from "./faults.ts";
import { quirksSchema } from "./quirks.ts";
import type { Lms } from "./lms.ts";

/** As JSON under /sandbox. */
export function mountSandboxRoutes(app: Express, lms: Lms): void {
  app.get("/sandbox/faults", (_request, response) => {
    response.json(lms.faults.all());
  });
  app.post("/sandbox/faults", express.json(), (request, response) => {
    const fault = faultSchema.safeParse(request.body);
    if (!fault.success) {
      response
        .status(400)
        .json({ error: fault.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) });
      return;
    }
    lms.faults.add(fault.data);
    response.status(201).json(lms.faults.all());
  });
  app.delete("/sandbox/faults", (_request, response) => {
    lms.faults.clear();
    response.status(204).end();
  });
  app.get("/sandbox/quirks", (_request, response) => {
    response.json(lms.quirks);
  });
  app.post("/sandbox/quirks", express.json(), (request, response) => {
    const change: unknown = request.body;
    const quirks = quirksSchema.safeParse(
      typeof change === "object" && change !== null ? { ...lms.quirks, ...change } : change,
    );
    if (quirks.success) response.json(Object.assign(lms.quirks, quirks.data));
    else response.status(400).json({ error: quirks.error.issues.map(({ message }) => message) });
  });
  app.get("/sandbox/log.json", (_request, response) => {
    response.json(lms.log.all());
  });
  app.delete("/sandbox/log.json", (_request, response) => {
    lms.log.clear();
    response.status(204).end();
  });
}
