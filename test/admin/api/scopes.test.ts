// Scopes of admin tokens, over all routes: none implies another, and without read no response has text of the service.
import { randomUUID } from 'node:crypto'
import { scopes } from '../../../src/admin/access/authenticate.ts'
import type { AdminContext } from '../../../src/admin/admin-context.ts'
import type { AdminRoute } from '../../../src/admin/api/route.ts'
import { adminRoutes } from '../../../src/admin/api/routes/index.ts'
import { runRoute } from '../../../src/admin/api/run-route.ts'
import type { Json } from '../../../src/rules/language/values/rule-types.ts'
import { silent, useStores } from '../../bot/stores.ts'
import { decision as decisionOf, delivery as deliveryOf, matchedRule, ruleFile } from '../../suites/journal/records.ts'
import { queuesOf, queueWith } from '../serve-admin.ts'

const stores = useStores({ own: true })
const mergeRequest = { project: 1, iid: 7 }
const at = '2026-11-21T10:00:00.000Z'
/** What the service says: titles, paths, reasons of errors. */
const secret = 'plan-a-secret'
const delivery = deliveryOf({ id: randomUUID(), mergeRequests: [mergeRequest], state: 'read', reason: secret })
const decision = {
  ...decisionOf(mergeRequest, at),
  deliveries: [delivery.id],
  paused: secret,
  rules: [
    { ...matchedRule('a'), conditions: { condition: 'title', verdict: 'true' as const, expected: '', actual: secret } },
  ],
}
const job = {
  ...{ id: 'j', state: 'failed' as const, attempts: 1, addedAt: 0, failure: secret },
  data: { project: 1, iid: 7, title: secret },
}
const done = async () => {}
const queue = queueWith({
  ...{ list: async () => [job], get: async () => job, pause: done, resume: done },
  ...{ retry: done, promote: done, remove: done },
})
const decided = async () => ({ ok: true as const, decision })
const replayed = async () => ({ is: 'replayed', number: 1 }) as const
const context = (): AdminContext => ({
  ...{ journal: stores.journal, now: () => Date.parse(at), queues: queuesOf(() => queue) },
  ...{ replay: { delivery: replayed, decision: replayed }, dryRun: decided },
  ruleTrials: {
    text: async () => ({ path: 'a', text: secret }),
    explain: decided,
    backtest: async () => ({ ok: false, reason: secret }),
  },
  paused: {
    list: async () => [{ project: 1, at, by: 'ann', why: secret }],
    pause: done,
    resume: async () => 1,
  },
  ...{ wakeMergeQueue: done, countMergeQueue: () => {} },
  status: () => ({ service: { is: 'fine', reason: secret }, capacity: { is: 'available' } }),
  ...{
    rulesInProject: async () => undefined,
    newRuleLimit: async () => undefined,
    allowNewRules: done,
    freezes: { last: async () => undefined, change: done },
    tokenExpiry: async () => undefined,
  },
  hookHealth: async () => ({ result: 'missing', details: [secret], bad: true, checkedAt: at, events: [] }),
  sweep: async (of, dryRun) => ({ id: 'w', of, dryRun, state: 'waiting', askedAt: at, projects: [], calls: 0 }),
})

beforeAll(async () => {
  const { journal } = stores
  const names = { projectPath: secret, projectUrl: `https://git.example.com/${secret}` }
  await journal.ruleFiles.save(mergeRequest.project, [{ ...ruleFile(mergeRequest), ...names }])
  const name = { title: secret, url: `https://git.example.com/${secret}/-/merge_requests/7` }
  await journal.deliveries.save(delivery, { name })
  await journal.decisions.save(decision, { name })
  await journal.mergeQueues.saveEntry(mergeRequest, {
    ...{ iid: 7, head: 'h', queue: 'main', target: 'main', since: 1, priority: 0, frozen: false },
  })
})

const values: Record<string, Json> = {
  ...{ queue: 'mergeRequests', target: 'main', project: 1, iid: 7, of: 'acme', state: 'failed' },
  until: new Date(Date.parse(at) + 60_000).toISOString(),
  ...{
    text: 'version: 1',
    do: 'explain',
    cap: 10,
    limit: 10,
    last: 1,
    why: 'a reason',
    overrides: ['pipeline=success'],
  },
}
const idOf = ({ path }: AdminRoute) =>
  path.startsWith('/decisions') ? decision.id : path.startsWith('/deliveries') ? delivery.id : 'j'

/** The replies to a token with these scopes, dry run or not. */
async function replies(route: AdminRoute, given: readonly (typeof scopes)[number][]) {
  const sample = (shape: object, more: Record<string, Json>) =>
    // A delivery has other states than a job.
    Object.fromEntries(
      Object.entries({ ...values, ...more }).filter(([key]) => key in shape && !('kind' in shape && key === 'state')),
    )
  const dryRuns = 'dry_run' in route.input.shape ? [true, false] : [false]
  return Promise.all(
    dryRuns.map((dry_run) =>
      runRoute({ context: context(), log: silent }, route, {
        params: sample(route.params.shape, { id: idOf(route) }) as Record<string, string>,
        input: sample(route.input.shape, { dry_run }),
        by: { name: 'ann', scopes: given },
      }),
    ),
  )
}

describe.each(adminRoutes.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  test.each(scopes.filter((scope) => scope !== 'read'))('shows no text of the service to %s alone', async (scope) => {
    for (const { status, body } of await replies(route, [scope])) {
      if (route.scope !== scope) expect(status).toBe(403)
      else expect([200, 202, 403]).toContain(status)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
  })
})

const changing = adminRoutes.filter(({ scope }) => scope !== 'read')
test.each(changing.map((route) => [route.name, route] as const))('%s does nothing for read', async (_name, route) => {
  for (const { status } of await replies(route, ['read'])) expect(status).toBe(403)
})
