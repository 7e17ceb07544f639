// What needs attention: from the queue, the projects and the token; the service is not asked while it fails.
import type { AdminContext } from '../../../src/admin/admin-context.ts'
import type { QueueDepth } from '../../../src/admin/api/jobs.ts'
import { attentionFor } from '../../../src/admin/api/routes/overview.ts'

const checkedAt = '2026-11-22T10:00:00.000Z'
const hooks: Record<string, { result: string; details: string[]; bad: boolean }> = {
  'a/broken': { result: 'up_to_date', details: [], bad: false },
  'a/disabled': { result: 'disabled', details: ['the service sends nothing'], bad: true },
  'a/hidden': { result: 'failed', details: ['403'], bad: true },
}
const paths = ['', 'a/broken', 'a/disabled', 'a/hidden']

const contextWith = (service: string, daysLeft: number) =>
  ({
    status: () => ({ service: { is: service }, capacity: { is: 'available' } }),
    rulesInProject: async (project: number) => ({
      projectPath: paths[project],
      problems: project === 1 ? ['.bellhop.yml:1:1: odd', 'another'] : [],
    }),
    newRuleLimit: async (project: number) => ({
      ...{ perHour: 5, newRules: ['f#r'] },
      full: project === 2 ? { accept: '2026-11-22T11:00:00.000Z' } : {},
    }),
    tokenExpiry: async () => ({ date: '2026-12-01', daysLeft }),
    hookHealth: async ({ path }: { path: string }) => ({ ...hooks[path], checkedAt }),
  }) as unknown as AdminContext

const depth: QueueDepth[] = [
  { queue: 'mergeRequests', state: 'failed', count: 2 },
  { queue: 'deliveries', state: 'failed', count: 0 },
  { queue: 'deliveries', state: 'waiting', count: 7 },
]
const broken = { kind: 'rules_broken', project: 1, path: 'a/broken', details: ['.bellhop.yml:1:1: odd', 'another'] }
const failed = { kind: 'jobs_failed', queue: 'mergeRequests', count: 2, details: [] }
const hook = { kind: 'hook', project: 2, path: 'a/disabled', details: ['disabled', 'the service sends nothing'] }
const limited = {
  ...{ kind: 'rules_limited', project: 2, path: 'a/disabled' },
  details: ['accept until Sun 22 Nov 11:00 UTC'],
}
const expires = { kind: 'token_expires', count: 9, details: ['2026-12-01'] }

test.each([
  ['everything', 'fine', 8.5, [broken, failed, hook, limited, expires]],
  ['a token that is valid for longer does not count', 'fine', 31, [broken, failed, hook, limited]],
  ['hooks and token are not asked while the service fails', 'unreachable', 8.5, [broken, failed, limited]],
])('%s', async (_, service, daysLeft, expected) => {
  expect(await attentionFor(contextWith(service, daysLeft), depth, [1, 2, 3])).toEqual(expected)
})

test('nothing, also while the queue does not respond', async () => {
  expect(await attentionFor(contextWith('fine', 400), undefined, [])).toEqual([])
})
