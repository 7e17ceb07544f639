// Evaluate on a real queue and journal, by rules that are given as text.
import { createBrake } from '../../src/bot/brake.ts'
import { createEvaluate } from '../../src/bot/evaluate.ts'
import type { MergeRequestJob } from '../../src/bot/merge-request-job.ts'
import type { Client } from '../../src/client/create-client.ts'
import type { JobHandler } from '../../src/queue/types.ts'
import { bot, file } from '../rules/world.ts'
import { rulesOfVersion, type Stores, silent } from './stores.ts'

/** The handler of one service's merge requests, all of which are judged by this file. */
export async function evaluateBy(
  text: string,
  { stores, service, client, now }: { stores: Stores; service: string; client: Client; now: () => number },
): Promise<JobHandler<MergeRequestJob>> {
  const { queue, journal } = stores
  const rules = { ...(await rulesOfVersion('').inForce(1)), files: [file(`rules:${text}\n`)] }
  return createEvaluate({
    ...{ client, journal, offLabel: 'off', log: silent, now, self: async () => bot },
    ruleFiles: {
      inForce: async () => rules,
      refresh: async () => rules,
      asIf: async () => rules,
      known: async () => undefined,
      includes: async () => [],
      operatorVersion: '',
    },
    timers: queue.lane(`timers-${service}`),
    spreadRules: async () => {},
    brake: createBrake({ service, journal, now }),
  })
}
