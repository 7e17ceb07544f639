// Intake on a real queue and journal, with deliveries as a hosting service sends them.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import { createIntake } from '../../../src/bot/intake/intake.ts'
import type { BotQueues } from '../../../src/bot/queues.ts'
import type { RuleFiles } from '../../../src/bot/rule-files/rules-in-force.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { type RenewableStores, runningJob, testQueues } from '../stores.ts'
import { testContext } from '../test-context.ts'

export const AT = '2026-11-21T12:00:00.000Z'
export const A = 'a'.repeat(40)
export const B = 'b'.repeat(40)

/** Makes intakes on the stores of a file, which it renews unless told not to. */
export function intakesOn(stores: RenewableStores) {
  return (
    options: { ruleFiles?: RuleFiles; log?: Logger; renew?: boolean; through?: (own: Journal) => Journal } = {},
  ) => {
    const queues = testQueues(stores, options)
    const { journal } = stores
    const { through = (own) => own } = options
    const context = testContext({
      journal: through(journal),
      queues,
      botUser: async () => ({ id: 99, username: 'bellhop' }),
      rules: options.ruleFiles,
      log: options.log,
    })
    const handle = createIntake(context)
    async function take(
      payload: unknown,
      id = `d-${randomUUID()}`,
      { isFirst = true, ...said }: { isFirst?: boolean } & Partial<Extract<DeliveryJob, { is: 'delivery' }>> = {},
    ) {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const data: DeliveryJob = { is: 'delivery', receivedAt: AT, header: 'Some Hook', body, ...said }
      const outcome = await handle(runningJob(data, { id, isFirst }))
      return { id, outcome, record: await journal.deliveries.find(id) }
    }
    const again = (delivery: string, why: 'replay' | 'duplicate' = 'replay') =>
      handle(runningJob<DeliveryJob>({ is: 'again', delivery, why }))
    return { ...queues, journal, handle, take, again }
  }
}

/** The merge requests that were enqueued. */
export async function enqueued({ mergeRequests }: BotQueues): Promise<number[]> {
  const jobs = await mergeRequests.list(['waiting', 'prioritized', 'delayed'], 0, 100)
  return jobs.map(({ data }) => data.iid).sort((a, b) => a - b)
}

export const opened = {
  object_kind: 'merge_request',
  project: { id: 7 },
  object_attributes: { iid: 2, action: 'open' },
}
export const green = {
  object_kind: 'pipeline',
  project: { id: 7 },
  object_attributes: { id: 5, ref: 'feature', sha: A, status: 'success' },
}
export const pushed = {
  object_kind: 'push',
  project_id: 7,
  ref: 'refs/heads/feature',
  before: A,
  after: B,
  user_id: 3,
  user_username: 'ann',
}

/** The same, as updated at a second. */
export const at = (second: number) => ({
  ...opened,
  object_attributes: { ...opened.object_attributes, updated_at: `2026-11-21 12:00:${second} UTC` },
})
