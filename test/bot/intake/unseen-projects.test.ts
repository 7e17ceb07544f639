// Deliveries of projects that the bot's user cannot see: ignored with that reason, and logged once an hour.
import pino from 'pino'
import { createUnseenProjects } from '../../../src/bot/intake/process-event.ts'
import { createRuleCache } from '../../../src/bot/rule-files/read-rule-file.ts'
import { createRuleFiles } from '../../../src/bot/rule-files/rule-files.ts'
import { playService, service } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'
import { enqueued, green, intakesOn, opened, pushed } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

function keepLines() {
  const lines: { level: number; event: string; project?: string }[] = []
  return { log: pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) }), lines }
}

/** Reads the rules from the service, as in operation. */
const reader = () => createRuleFiles(testContext({ journal: stores.journal }), createRuleCache())

const hidden = { message: '404 Project Not Found' }
const note = {
  ...{ object_kind: 'note', project: { id: 7 }, merge_request: { iid: 2 } },
  object_attributes: { id: 1, noteable_type: 'MergeRequest', note: 'Hello' },
}

describe('a delivery of a project that the bot’s user cannot see', () => {
  test.each([
    ['a merge request', opened],
    ['a note', note],
    ['a push', pushed],
    ['a pipeline', green],
    ['an issue', { object_kind: 'issue', project: { id: 7 }, object_attributes: { action: 'open' } }],
  ])('about %s is ignored with the reason, enqueues nothing, and is logged once', async (_what, payload) => {
    service().get('/projects/7').times(2).reply(404, hidden)
    service().get('/projects/7/merge_requests').query(true).times(2).reply(404, hidden)
    const { log, lines } = keepLines()
    const intake = makeIntake({ ruleFiles: reader(), log })
    const reason = expect.stringMatching(/^Bellhop’s user cannot see project 7: .*404 Project Not Found/)
    for (const _ of [1, 2]) {
      const { outcome, record } = await intake.take(payload)
      expect(outcome).toMatchObject({ outcome: 'done' })
      expect(record).toMatchObject({ state: 'no_merge_request', reason, mergeRequests: [] })
    }
    expect(await enqueued(intake)).toEqual([])
    expect(await intake.ruleChanges.list(['waiting', 'prioritized'], 0, 10)).toEqual([])
    expect(lines).toMatchObject([{ event: 'project_not_visible', project: 'project 7' }])
  })

  test('is read again once the bot’s user was added, by a replay', async () => {
    service().get('/projects/7').reply(404, hidden)
    const intake = makeIntake({ ruleFiles: reader() })
    const { id } = await intake.take(opened)
    service().get('/projects/7').reply(200, { id: 7, default_branch: '', path_with_namespace: 'hotel/app' })
    await intake.again(id)
    expect(await stores.journal.deliveries.find(id)).toMatchObject({ state: 'read' })
  })
})

test('each project is logged once an hour, and the number of remembered projects is bounded', () => {
  const { log, lines } = keepLines()
  let now = 1_000
  const reportUnseen = createUnseenProjects(testContext({ log, now: () => now }))
  const logged = (project: string) => {
    reportUnseen({ project: Number(project) }, '404')
    return lines.splice(0).length
  }
  expect([logged('7'), logged('7'), logged('8')]).toEqual([1, 0, 1])
  now += 60 * 60_000 - 1
  expect(logged('7')).toBe(0)
  now += 2
  expect(logged('7')).toBe(1)
  for (let n = 0; n < 10_000; n += 1) reportUnseen({ path: `other ${n}` }, '404')
  lines.splice(0)
  expect(logged('7')).toBe(1)
})
