import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { createGauges, type GaugesDeps } from "./create-gauges.ts";
import { describeBuild } from "./describe-build.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Seconds: an answer from the store, a page, a call over the internet, something that hangs. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * What `/metrics` tells. Names, units and labels are promised: the dashboard and the alert rules of docs/monitoring use
 * them. Labels name kinds of things and are few; never an id, an address or a person.
 */
export function createMetrics(deps: Omit<GaugesDeps, "registry">) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: seconds });

  new Gauge({
    name: "spaces_lti_build_info",
    help: "Always 1; which version runs",
    labelNames: ["version", "node"],
    registers,
  }).set(describeBuild(), 1);
  createGauges({ ...deps, registry });
  return {
    registry,
    requests: counter("spaces_lti_http_requests_total", "Requests by pattern of their route and status", [
      "method",
      "route",
      "status",
    ]),
    requestSeconds: histogram("spaces_lti_http_request_seconds", "Time until a request was answered", [
      "route",
    ]),
    rateLimited: counter(
      "spaces_lti_rate_limited_total",
      "Requests refused because their address asked too much",
      ["door"],
    ),
    classroomCalls: counter(
      "spaces_lti_classroom_calls_total",
      "Requests to the classroom by operation and status; 429 is its limit, none is no answer",
      ["environment", "operation", "status"],
    ),
    classroomSeconds: histogram("spaces_lti_classroom_call_seconds", "Time the classroom took to answer", [
      "operation",
    ]),
    throttleSeconds: histogram(
      "spaces_lti_classroom_throttle_wait_seconds",
      "Time requests to the classroom waited for their turn",
      ["environment", "priority"],
    ),
    lmsCalls: counter(
      "spaces_lti_lms_calls_total",
      "Requests to LMSs by kind and status; none is no answer",
      ["kind", "status"],
    ),
    lmsSeconds: histogram("spaces_lti_lms_call_seconds", "Time LMSs took to answer", ["kind"]),
    launches: counter("spaces_lti_launches_total", "Launches by outcome", ["outcome"]),
    notices: counter("spaces_lti_notices_total", "Notices of LMSs by outcome", ["outcome"]),
    entries: counter(
      "spaces_lti_entries_total",
      "People let in, with a login authorized ahead or through the line",
      ["way"],
    ),
    webhooks: counter("spaces_lti_webhooks_total", "Webhook requests by environment and answer", [
      "environment",
      "answer",
    ]),
    webhookKinds: counter(
      "spaces_lti_webhook_kinds_total",
      "Webhooks that were settled, by family and eventType; what the interface does not list is other",
      ["family", "event_type"],
    ),
    previousSecret: counter(
      "spaces_lti_webhook_previous_secret_total",
      "Webhook requests that came with the secret from before a rotation",
      ["environment"],
    ),
    provisioning: counter(
      "spaces_lti_provisioning_total",
      "Attempts to make or rename an API user ahead by outcome",
      ["outcome"],
    ),
    scores: counter("spaces_lti_score_attempts_total", "Attempts to send a score by outcome", ["outcome"]),
  };
}
