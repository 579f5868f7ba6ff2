import type { admitNext } from "./admit-next.ts";
import type { Background } from "../../kernel/background.ts";

/** So many people are let in side by side; a class moves at four a second, so more only wait for slow answers. */
const sideBySide = 16;

/** One step at the door: takes the first person out of the line, and ends when the next may be taken. */
export function doorStep(deps: {
  admitNext: () => ReturnType<typeof admitNext>;
  background: Background;
}): () => Promise<boolean> {
  const inside = new Set<Promise<void>>();
  return async () => {
    if (inside.size >= sideBySide) await Promise.race(inside);
    const admitted = await deps.admitNext();
    if (admitted === null) return false;
    const done = admitted.done.finally(() => inside.delete(done));
    inside.add(done);
    deps.background.run("let somebody in", () => done);
    await admitted.goOn;
    return true;
  };
}
