import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { CallLog } from "./call-log.ts";
import { type EndRedirect, endRedirectSetting } from "./end-redirect.ts";
import { faultSchema, type Faults } from "./faults.ts";
import { type Pages, pagesSetting } from "./pages.ts";
import { parseOrRefuse, type RunAction } from "./run-action.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import type { World } from "./world.ts";

const switchesSchema = z
  .object({
    duplicates: z.boolean(),
    reorder: z.boolean(),
    delayMs: z.number().int().nonnegative(),
    loseNext: z.number().int().nonnegative(),
    wrongSecret: z.boolean(),
    headerName: z.enum(["Authorization", "Authentication"]),
  })
  .partial();
const receiverSchema = z.object({ url: z.url().nullable(), secret: z.string().min(1).optional() });

/** HTTP twins of the control methods, for a demo or a test in another process. No key: this is a sandbox. */
export function createControlRouter(deps: {
  world: World;
  webhooks: WebhookSender;
  calls: CallLog;
  faults: Faults;
  endRedirect: EndRedirect;
  pages: Pages;
  runAction: RunAction;
}): Router {
  const { world, webhooks, calls, faults } = deps;
  const router = Router();
  router.use("/sandbox", express.json());

  router.get("/sandbox/log.json", (_request: Request, response: Response) => {
    response.json({ counts: calls.counts(), calls: calls.all(), webhooks: webhooks.sent() });
  });
  router.get("/sandbox/world.json", (_request: Request, response: Response) => {
    response.json({
      users: [...world.users.values()],
      spaces: [...world.spaces.values()],
      events: [...world.events.values()],
      attendance: [...world.attendance.values()],
      cohorts: [...world.cohorts.values()],
      alerts: [...world.alerts.values()],
      recordings: [...world.recordings.values()],
    });
  });
  router.post("/sandbox/faults", (request: Request, response: Response) => {
    faults.add(parseOrRefuse(faultSchema, request.body));
    response.status(201).json({ pending: faults.pending() });
  });
  router.delete("/sandbox/faults", (_request: Request, response: Response) => {
    faults.clear();
    response.status(204).end();
  });
  router.post("/sandbox/webhook-switches", (request: Request, response: Response) => {
    const { duplicates, reorder, delayMs, loseNext, wrongSecret, headerName } = parseOrRefuse(
      switchesSchema,
      request.body,
    );
    webhooks.setSwitches({
      ...(duplicates === undefined ? {} : { duplicates }),
      ...(reorder === undefined ? {} : { reorder }),
      ...(delayMs === undefined ? {} : { delayMs }),
      ...(loseNext === undefined ? {} : { loseNext }),
      ...(wrongSecret === undefined ? {} : { wrongSecret }),
      ...(headerName === undefined ? {} : { headerName }),
    });
    response.json(webhooks.switches());
  });
  router.post("/sandbox/webhook-receiver", (request: Request, response: Response) => {
    const { url, secret } = parseOrRefuse(receiverSchema, request.body);
    webhooks.configure({ url, ...(secret === undefined ? {} : { secret }) });
    response.json({ url });
  });
  router.post("/sandbox/end-redirect", (request: Request, response: Response) => {
    deps.endRedirect.set(parseOrRefuse(endRedirectSetting, request.body));
    response.json({ url: deps.endRedirect.url() });
  });
  router.post("/sandbox/pages", (request: Request, response: Response) => {
    const { pages: setting } = parseOrRefuse(z.object({ pages: pagesSetting.nullable() }), request.body);
    deps.pages.set(setting);
    response.json({ pages: setting });
  });
  router.post("/sandbox/actions/:name", (request: Request, response: Response) => {
    response.json(deps.runAction(String(request.params.name), request.body ?? {}) ?? {});
  });
  return router;
}
