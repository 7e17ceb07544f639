// Evaluations of issues: what comes due by the clock, and what the journal stores of them.
import { pino } from 'pino'
import { mergeRequestKey } from '../../../src/bot/queues.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { ordinaryIssue } from '../../../src/rules/testing/ordinary-merge-request.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { serves } from '../service-answers.ts'
import { runningJob, testQueues, useStores } from '../stores.ts'
import { evaluateBy } from './evaluate-world.ts'

playService()
const stores = useStores()
const issue = '/projects/1/issues/7'
const day = 24 * 60 * 60_000
const opened = Date.parse('2026-11-01T00:00:00Z')
const url = 'https://code.example/acme/door/-/issues/7'

const reads = (fields: object = {}) =>
  serves(issue, {
    ...ordinaryIssue(new Date(opened).toISOString()),
    created_at: new Date(opened).toISOString(),
    iid: 7,
    web_url: url,
    ...fields,
  })

async function evaluation(text: string) {
  const queues = testQueues(stores)
  const clock = { now: opened + day }
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const handler = await evaluateBy(text, {
    stores,
    queues,
    client: makeClient().client,
    now: () => clock.now,
    log,
  })
  const ref = issueRef(1, 7)
  const dueOn = (at: number) => {
    const [until, nextAt] = [new Date(at), new Date(at + 60_000)]
    return stores.journal.mergeRequests.takeDue(until, { limit: 10, nextAt })
  }
  return { ref, clock, lines, dueOn, run: () => handler(runningJob(ref)) }
}

test('a rule about an age is due by the clock, and acts then', async () => {
  const stale =
    '\n  - { name: stale, for: issues, if: { state: opened, age: { older_than: 30d } }, then: { close: true } }'
  const one = await evaluation(stale)
  reads()
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.dueOn(opened + 30 * day - 1000)).toEqual([])
  expect(await one.dueOn(opened + 30 * day + 1000)).toEqual([one.ref])
  one.clock.now = opened + 30 * day + 1000
  reads()
  service().put(issue, { state_event: 'close' }).reply(200, { iid: 7, state: 'closed' })
  reads({ state: 'closed' })
  expect(await one.run()).toEqual({ outcome: 'done' })
  const [last] = (await stores.journal.decisions.list({ mergeRequest: one.ref, limit: 1 })).items
  expect(last).toMatchObject({ calls: [{ endpoint: 'issues.update' }], responses: [{ result: 'done' }] })
})

describe('the journal', () => {
  const label = '\n  - { name: a, for: issues, if: { title: { matches: vault } }, then: { todo: true } }'

  test.each([
    [false, 'the vault is open'],
    [true, 'a confidential issue'],
    [undefined, 'a confidential issue'],
  ])('names an issue whose confidential is %s: %s', async (confidential, title) => {
    const one = await evaluation(label)
    reads({ title: 'the vault is open', confidential })
    service().post(`${issue}/todo`).reply(201, { id: 1 })
    reads({ title: 'the vault is open', confidential })
    await one.run()
    const { project, path: _, ...name } = { ...(await stores.journal.mergeRequests.names([one.ref]))[0], project: 1 }
    expect(name).toEqual({ title })
    const [decision] = (await stores.journal.decisions.list({ mergeRequest: one.ref, limit: 1 })).items
    expect(decision?.rules).toMatchObject([{ name: 'a', verdict: 'true' }])
    expect(JSON.stringify([decision, one.lines]).includes('vault is open')).toBe(confidential === false)
    expect(project).toBe(1)
  })

  test('keeps no time figures of an issue', async () => {
    const one = await evaluation(label)
    reads({ title: 'no' })
    await one.run()
    const range = { since: new Date(0), until: new Date(opened + 400 * day) }
    expect(await stores.journal.mergeRequests.times({ ...range }, 9)).toEqual([])
  })
})

test('the job of an issue is not that of the merge request with its number', () => {
  expect([12, -12, 0].map((iid) => mergeRequestKey({ project: 1, iid }))).toEqual(['1!12', '1#12', '1'])
})
