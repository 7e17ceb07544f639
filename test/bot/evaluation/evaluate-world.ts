// Evaluate on a real queue and journal, by rules that are given as text.
import type { Logger } from 'pino'
import { createEvaluation } from '../../../src/bot/evaluation/evaluate.ts'
import type { BotQueues, MergeRequestJob } from '../../../src/bot/queues.ts'
import type { Client } from '../../../src/client/create-client.ts'
import type { JobHandler, RunningJob } from '../../../src/queue/types.ts'
import type { ResolvedPolicy } from '../../../src/rules/language/policy.ts'
import type { Event } from '../../../src/rules/types.ts'
import { landsCommits, makeClient, service as played } from '../../client/world.ts'
import { file, mergeRequest } from '../../rules/world.ts'
import { serves } from '../service-answers.ts'
import { type RenewableStores, rulesOfVersion, runningJob, type Stores, silent, testQueues } from '../stores.ts'
import { type GivenContext, testContext } from '../test-context.ts'

export interface EvaluateWorld {
  stores: Pick<Stores, 'journal'>
  queues: BotQueues
  client: Client
  now: () => number
  /** The file on the default branch, which is read again just before a merge; `text` when absent. */
  committed?: () => string
  policy?: Partial<ResolvedPolicy>
  log?: Logger
  operator?: GivenContext['operator']
}

/** The handler of merge requests, all evaluated by this file; it is read again as `committed` says. */
export async function evaluateBy(
  text: string,
  { stores, queues, client, now, committed = () => text, policy = {}, log = silent, operator }: EvaluateWorld,
): Promise<JobHandler<MergeRequestJob>> {
  const { journal } = stores
  const usual = await rulesOfVersion('').inForce(1)
  const read = (current: string) => ({
    ...usual,
    policy: { ...usual.policy, ...policy },
    files: [file(`rules:${current}\n`)],
    version: current,
  })
  let inForce = read(text)
  const rules = {
    inForce: async () => inForce,
    refresh: async () => {
      inForce = read(committed())
      return inForce
    },
  }
  return createEvaluation(testContext({ client, journal, queues, rules, now, log, operator }))
}

/** The text of one rule. */
export const rule = (then: string, when = 'if: { draft: false }', name = 'a') =>
  `\n  - { name: ${name}, ${when}, then: ${then} }`

/** The address of the one merge request. */
export const mr = '/projects/1/merge_requests/7'

/** The service answers so many reads of it. */
export const reads = (fields: object = {}, times = 1) =>
  played()
    .get(mr)
    .times(times)
    .reply(200, mergeRequest({ ...fields }))

export const readsProject = () =>
  played().persist().get('/projects/1').reply(200, { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' })

/** The service answers one read of its approvals. */
export const readsApprovals = (...by: object[]) =>
  serves(`${mr}/approvals`, { approvals_left: 0, approved_by: by.map((user) => ({ user })) })

/** The one merge request of renewed stores, evaluated by this file. */
export async function makeEvaluation(
  text: string,
  { stores, ...given }: Partial<EvaluateWorld> & { stores: RenewableStores },
) {
  const queues = testQueues(stores)
  const { journal } = stores
  const ref = { project: 1, iid: 7 }
  landsCommits()
  const clock = { now: Date.parse('2026-01-11T00:00:00Z') }
  let committed = text
  const evaluate = await evaluateBy(text, {
    ...{ stores, queues, client: makeClient().client, now: () => clock.now, committed: () => committed },
    ...given,
  })
  const at = '2026-01-11T00:00:00Z'
  const event: Event = { kind: 'merge_request.update', actor: { id: 2 }, at, project: 1, iid: 7 }
  const decisions = async () => (await journal.decisions.list({ mergeRequest: ref, limit: 9 })).items
  return {
    ref,
    clock,
    journal,
    queues,
    run: ({ addedAt = clock.now, claim = async () => false, attempt = 1 }: Partial<RunningJob<MergeRequestJob>> = {}) =>
      evaluate(runningJob(ref, { attempt, addedAt, claim })),
    /** Changes the file on the default branch, without a hook. */
    commit: (newer: string) => {
      committed = newer
    },
    addEvent: (deliveryId: string) => journal.events.add(ref, { deliveryId, event }),
    pending: async () => (await journal.events.pending(ref)).map(({ deliveryId }) => deliveryId),
    memory: () => journal.mergeRequests.memory(ref),
    newestDecision: async () => (await decisions())[0],
    answers: async () => (await decisions()).flatMap(({ responses }) => responses),
  }
}
