// The storm: which merge request each delivery is of, who sends them, when all is evaluated, and what was decided.
import type { DecisionRecord, JournalPage } from '../../src/journal/types.ts'
import { admin, isSettled } from '../admin.ts'

/** Every third delivery is of the hot merge request, number 1, where there is one. */
export interface Storm {
  deliveries: number
  hot: number
}

export const others = 1_000
export const hotIid = 1
const senders = 32

/** As fast as `send` resolves. */
export async function sendStorm({ deliveries, hot }: Storm, send: (iid: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: senders }, async () => {
      for (let n = next++; n < deliveries; n = next++) await send(n % 3 === 0 && hot > 0 ? hotIid : 2 + (n % others))
    }),
  )
}

export async function untilSettled(url: string): Promise<void> {
  while (!(await isSettled(url))) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** The newest first. */
export async function decisionsSince(
  url: string,
  { since, project }: { since: string; project?: number },
): Promise<DecisionRecord[]> {
  const found: DecisionRecord[] = []
  let after: string | undefined
  do {
    const query = new URLSearchParams({ since, limit: '200' })
    if (project !== undefined) query.set('project', String(project))
    if (after !== undefined) query.set('after', after)
    const page = await admin<JournalPage<DecisionRecord>>(url, `/decisions?${query}`)
    found.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return found
}
