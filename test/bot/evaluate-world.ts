// Evaluate on a real queue and journal, by rules that are given as text.
import { createBrake } from '../../src/bot/brake.ts'
import { createEvaluate } from '../../src/bot/evaluate.ts'
import type { MergeRequestJob } from '../../src/bot/merge-request-job.ts'
import type { Client } from '../../src/client/create-client.ts'
import type { JobHandler } from '../../src/queue/types.ts'
import { bot, file } from '../rules/world.ts'
import { rulesOfVersion, type Stores, silent } from './stores.ts'

export interface EvaluateWorld {
  stores: Stores
  service: string
  client: Client
  now: () => number
  /** What the default branch has now, which is read anew just before a merge; `text` when absent. */
  committed?: () => string
  /** How often an hour new rules may do what is limited; 0: no limit. */
  perHour?: number
}

/** The handler of one service's merge requests, all of which are judged by this file, as it was read first until it is read anew. */
export async function evaluateBy(
  text: string,
  { stores, service, client, now, committed = () => text, perHour = 0 }: EvaluateWorld,
): Promise<JobHandler<MergeRequestJob>> {
  const { queue, journal } = stores
  const usual = await rulesOfVersion('').inForce(1)
  const read = (current: string) => ({ ...usual, policy: { ...usual.policy, brake: perHour }, files: [file(`rules:${current}\n`)] })
  let inForce = read(text)
  return createEvaluate({
    ...{ client, journal, offLabel: 'off', log: silent, now, self: async () => bot },
    ruleFiles: {
      inForce: async () => inForce,
      refresh: async () => {
        inForce = read(committed())
        return inForce
      },
      asIf: async () => inForce,
      known: async () => undefined,
      includes: async () => [],
      operatorVersion: '',
    },
    timers: queue.lane(`timers-${service}`),
    spreadRules: async () => {},
    brake: createBrake({ service, journal, now }),
  })
}
