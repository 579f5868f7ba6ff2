/** The id under which a task is stored: its kind and its key, which is unique within the kind. */
export function taskId(kind: string, key: string): string {
  return `${kind} ${key}`;
}
