/**
 * Stores of a process that is killed in the middle: only the first `calls` calls are made. @param names Which members of `all` are stores;
 * the others are passed through.
 */
export function mortalStores<T extends object>(
  all: T,
  names: readonly (keyof T & string)[],
  calls: number,
): { stores: T; isDead: () => boolean } {
  let left = calls;
  let dead = false;
  const mortal = (store: unknown): unknown =>
    typeof store !== "object" || store === null
      ? store
      : new Proxy(store, {
          get: (target, name) => {
            const found: unknown = Reflect.get(target, name);
            if (typeof found !== "function") return found;
            return async (...given: unknown[]) => {
              if (left <= 0) {
                dead = true;
                throw new Error("killed");
              }
              left -= 1;
              const answer: unknown = await Reflect.apply(found, target, given);
              return answer;
            };
          },
        });
  const stores = new Proxy(all, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      return names.some((one) => one === name) ? mortal(found) : found;
    },
  });
  return { stores, isDead: () => dead };
}
