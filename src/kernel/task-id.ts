export function taskId(kind: string, key: string): string {
  return `${kind} ${key}`;
}
