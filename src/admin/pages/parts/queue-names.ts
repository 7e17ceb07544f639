// The titles of the queues.

/** `mergeRequests` → Merge requests. */
export function queueTitle(queue: string): string {
  const words = queue.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
