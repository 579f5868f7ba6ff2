import { html, type Html } from "./html.ts";
import { tableHead } from "./table-head.ts";
import type { WebhookDelivery } from "./webhook-sender.ts";

export function webhookLog(deliveries: readonly WebhookDelivery[]): Html {
  const recent = deliveries.slice(-25).reverse();
  if (recent.length === 0) return html`<p>No webhooks sent yet.</p>`;
  return html`<div class="scroll" role="region" aria-label="Webhooks" tabindex="0">
    <table>
      <caption>
        Last webhooks, newest first
      </caption>
      ${tableHead("Family", "Type", "State", "Attempts")}
      <tbody>
        ${recent.map(
          ({ payload, state, attempts }) =>
            html`<tr>
              <th scope="row">${textOf(payload._type, "(attendance)")}</th>
              <td>${textOf(payload.eventType, "")}</td>
              <td>${state}</td>
              <td>${attempts.map((attempt) => attempt.status ?? "no answer").join(", ")}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
