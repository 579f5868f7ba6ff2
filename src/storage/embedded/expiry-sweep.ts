import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { passingOver, wholeRows } from "./damage.ts";
import type { Engine } from "./embedded-collection.ts";
import { keyExpression, keyOf } from "./sort-key.ts";
import { maxSweptDocuments, sweepIntervalMs } from "./limits.ts";

/** Deletes documents whose date in an index with expireAfterSeconds has passed. */
export class ExpirySweep {
  readonly #engine: Engine;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;

  constructor({ engine, logger, clock }: { engine: Engine; logger: Logger; clock: Clock }) {
    this.#engine = engine;
    this.#logger = logger;
    this.#clock = clock;
    this.#timer = setInterval(() => {
      this.run().catch((thrown: unknown) => {
        this.#logger.warn({ reason: messageOf(thrown) }, "expired documents could not be deleted");
      });
    }, sweepIntervalMs);
    // The sweep alone keeps no process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sweeps all collections once. @returns how many documents were deleted. */
  async run(): Promise<number> {
    let total = 0;
    for (;;) {
      const deleted = await this.#engine.batch.run(() => this.#deleteSome());
      total += deleted;
      if (deleted < maxSweptDocuments) return total;
    }
  }

  #deleteSome(): number {
    const { catalogue, file } = this.#engine;
    let deleted = 0;
    for (const name of catalogue.names()) {
      const facts = catalogue.find(name);
      for (const index of facts?.indexes ?? []) {
        const path = Object.keys(index.key)[0];
        if (facts === undefined || path === undefined || index.expireAfterSeconds === undefined) continue;
        const key = keyExpression(path);
        const before = keyOf(new Date(this.#clock.now() - index.expireAfterSeconds * 1000)) ?? "";
        deleted += passingOver(file, catalogue, { facts, isRefused: false }, () => {
          const whole = facts.damaged.size === 0 ? "" : `${wholeRows(facts)} AND `;
          // x'39' is where dates begin: anything that is not a date never expires.
          const result = file
            .statement(
              `DELETE FROM ${facts.table} WHERE seq IN (SELECT seq FROM ${facts.table} WHERE ${whole}${key}>=x'39' AND ${key}<=? LIMIT ?)`,
            )
            .run(before, maxSweptDocuments - deleted);
          return Number(result.changes);
        });
      }
    }
    return deleted;
  }
}
