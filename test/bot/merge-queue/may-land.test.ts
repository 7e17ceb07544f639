// Whether an entry may land: the rules in force on facts read for it must still request exactly this entry.

import { areStillRequested, requestedLanding } from '../../../src/bot/merge-queue/check-landing.ts'
import type { QueueProject } from '../../../src/bot/merge-queue/queue-run.ts'
import type { RulesInForce } from '../../../src/bot/rule-files/rules-in-force.ts'
import type { MergeQueueEntry, PendingEvent } from '../../../src/journal/types.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Memory } from '../../../src/rules/types.ts'
import { landsCommits, makeClient, playService, service } from '../../client/world.ts'
import { file, head, mergeRequest, rule, rules } from '../../rules/world.ts'
import { marksInMemory } from '../marks-in-memory.ts'
import { rulesOfVersion } from '../stores.ts'
import { type GivenContext, testContext } from '../test-context.ts'

playService()

const now = Date.parse('2026-01-11T00:00:00Z')
const project = { id: 1, default_branch: 'main', path_with_namespace: 'acme/door' } as QueueProject
const queued = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: false }

const stored: MergeQueueEntry = {
  ...{ iid: 7, queue: 'main', target: 'main', head, since: now, priority: 0, frozen: false },
}

interface Given {
  memory?: Memory | undefined
  /** The condition, and further lines, of the one rule. */
  when?: string
  more?: string
  /** The settings of the queue, as YAML. */
  settings?: string
  /** Fields of the merge request. */
  fields?: object
  /** What the rules in force are as long as nobody reads them again. */
  stale?: RulesInForce['files']
  events?: PendingEvent[]
  pushes?: object[]
  /** Another rule. */
  other?: string
  /** The mode of the whole project. */
  mode?: 'act' | 'observe' | 'off'
  /** As the journal has it. */
  entry?: MergeQueueEntry | undefined
}

/** Asks for the head; every read must say that it takes nothing from a cache. */
async function asks({
  memory = { ...emptyMemory(), of: { accept: { queued } } },
  when = '{ draft: false }',
  ...given
}: Given = {}) {
  const { entry = 'entry' in given ? undefined : stored } = given
  const { mode = 'act', more = '', settings = '', fields = {}, stale, events = [], pushes = [], other = '' } = given
  const { client, lines } = makeClient()
  landsCommits()
  service({ 'cache-control': 'no-cache' })
    .get('/projects/1/merge_requests/7')
    .reply(200, mergeRequest({ ...fields }))
  service().get('/projects/1/merge_requests/7/resource_label_events').query(true).reply(200, [])
  const rule = `  - { name: a, if: ${when}, then: { accept: { queue: main, pipeline: none } } ${more} }\n`
  const text = `version: 1\nqueues:\n  - { name: main, target: main ${settings} }\nrules:\n${rule}${other}`
  const inForce = await rulesOfVersion('v').inForce(1)
  const usual = { ...inForce, policy: { ...inForce.policy, mode } }
  const journal = {
    load: async () => ({ memory, pendingEvents: events, pushes, queueEntry: entry, marks: {} }),
    marks: marksInMemory(),
    mergeQueues: { find: async () => undefined, entries: async () => [] },
    pushes: { list: async () => pushes },
  }
  const context = testContext({
    client,
    journal,
    rules: {
      inForce: async () => ({ ...usual, files: stale ?? [file(text)] }),
      refresh: async () => ({ ...usual, files: [file(text)] }),
    },
    now: () => now,
  } as GivenContext)
  const requestedOn = await requestedLanding(context, { project: 1, iid: 7, head }, project)
  return { may: requestedOn !== undefined, reads: lines.length, context, requestedOn }
}

test('an entry that the rules still request lands', async () => {
  expect(await asks()).toMatchObject({ may: true, reads: 2 })
})

test('the rules count as they are read now, not as they were', async () => {
  const labels = '{ labels: { any: [ready] } }'
  const requesting = [file(rules(rule('{ draft: false }', '{ accept: true }')))]
  expect(await asks({ when: labels, stale: requesting })).toMatchObject({ may: false, reads: 1 })
  expect(await asks({ stale: [] })).toMatchObject({ may: true, reads: 2 })
})

test('an event that no evaluation has seen counts', async () => {
  const event = {
    kind: 'merge_request.update',
    actor: { id: 2 },
    at: new Date(now).toISOString(),
    target: 'main',
    head,
  }
  const other = '  - { name: b, on: merge_request.update, if: { draft: false }, then: { cancel_accept: true } }\n'
  expect((await asks({ other })).may).toBe(true)
  expect((await asks({ other, events: [{ seq: 1, deliveryId: 'd', event }] })).may).toBe(false)
})

describe('the last look before a landing', () => {
  const when = '{ approved_by: { any: [carol] } }'
  const pushes = [{ from: null, to: head, by: { username: 'alice' } }]
  const memory = { ...emptyMemory(), of: { accept: { queued } }, approvals: { 3: head } }
  const given = { when, pushes, memory }
  const [mr, order] = ['/projects/1/merge_requests/7', [] as string[]]
  const approvedBy = (...usernames: string[]) =>
    service({ 'cache-control': 'no-cache' })
      .get(`${mr}/approvals`)
      .reply(200, () => {
        order.push('approvals')
        return { approved_by: usernames.map((username) => ({ user: { id: 3, username } })) }
      })

  test.each<[string, string[], object, boolean]>([
    ['as it was: it lands', ['carol'], {}, true],
    ['approved no more: it does not', [], {}, false],
    ['with another target branch: it does not', ['carol'], { target_branch: 'release' }, false],
  ])('reads the approvals, and the merge request last; %s', async (_what, approvers, fields, lands) => {
    approvedBy('carol')
    const { context, requestedOn } = await asks(given)
    if (requestedOn === undefined) throw new Error('the rules do not request it')
    order.length = 0
    approvedBy(...approvers)
    service({ 'cache-control': 'no-cache' })
      .get(mr)
      .reply(200, () => {
        order.push('merge request')
        return mergeRequest({ ...fields })
      })
    expect([await areStillRequested(context, [requestedOn]), order]).toEqual([lands, ['approvals', 'merge request']])
  })

  test('reads no merge request before what else it reads of the others of its batch', async () => {
    const [one, two] = await Promise.all(
      ['carol', 'carol'].map(async (name) => {
        approvedBy(name)
        return asks(given)
      }),
    )
    if (one?.requestedOn === undefined || two?.requestedOn === undefined)
      throw new Error('the rules do not request them')
    order.length = 0
    service()
      .get(mr)
      .times(2)
      .reply(200, () => {
        order.push('merge request')
        return mergeRequest()
      })
    for (const delayMs of [0, 50])
      service()
        .get(`${mr}/approvals`)
        .delay(delayMs)
        .reply(200, () => {
          order.push('approvals')
          return { approved_by: [{ user: { id: 3, username: 'carol' } }] }
        })
    await areStillRequested(one.context, [one.requestedOn, two.requestedOn])
    expect(order).toEqual(['approvals', 'approvals', 'merge request', 'merge request'])
  })
})

test('who pushed counts, as the hooks say', async () => {
  const when = '{ pushed_by: { all: [alice] } }'
  const pushed = (username: string) => [{ from: null, to: head, by: { id: 2, username } }]
  expect((await asks({ when, pushes: pushed('alice') })).may).toBe(true)
  expect((await asks({ when, pushes: pushed('mallory') })).may).toBe(false)
})

test.each<[string, Memory]>([
  [
    'that was tested with another head',
    { ...emptyMemory(), of: { accept: { queued: { ...queued, sha: 'c'.repeat(40) } } } },
  ],
  ['that left the queue', emptyMemory()],
])('an entry %s does not land, without a read', async (_what, memory) => {
  expect(await asks({ memory })).toMatchObject({ may: false, reads: 0 })
})

test.each<[string, Given]>([
  ['has another head by now', { fields: { sha: 'c'.repeat(40) } }],
  ['is closed by now', { fields: { state: 'closed' } }],
  ['is a draft by now', { fields: { work_in_progress: true, draft: true } }],
  ['goes into another branch by now', { fields: { target_branch: 'release' } }],
  ['has the label that turns Bellhop off', { fields: { labels: ['off'] } }],
  ['has a rule that is only observed by now', { more: ', mode: observe' }],
  ['is of a project that is only observed by now', { mode: 'observe' }],
  ['is of a project that is turned off by now', { mode: 'off' }],
  ['has a rule that is off by now', { more: ', mode: off' }],
  ['has another place in the queue by now', { settings: ', priority: [{ if: { draft: false }, is: 5 }]' }],
  ['has no stored entry', { entry: undefined }],
  ['has another entry than is requested', { entry: { ...stored, squash: true } }],
  ['is frozen by now', { settings: ', freeze: [{ if: { labels: { none: [urgent] } } }]' }],
])('an entry whose merge request %s does not land', async (_what, given) => {
  expect((await asks(given)).may).toBe(false)
})
