// The deliveries that this bench sends, and when they are done.
import { isSettled } from '../admin.ts'
import type { RunningBot } from '../bot.ts'
import { mergeRequestBody } from '../deliver.ts'
import { requestOf } from '../sender.ts'

/** Each of another merge request. */
export function nextRequest(): () => Buffer {
  let iid = 0
  return () => {
    iid += 1
    return Buffer.from(requestOf(crypto.randomUUID(), mergeRequestBody(iid)))
  }
}

/** Resolves when nothing waits or runs, in this queue or in any. */
export async function settled(bot: RunningBot, lane?: string): Promise<void> {
  while (!(await isSettled(bot.url, lane))) await new Promise((resolve) => setTimeout(resolve, 100))
}
