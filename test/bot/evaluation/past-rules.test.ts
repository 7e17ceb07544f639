// Merges by somebody else on a real journal: which evaluation finds one, by which facts, and who merged it.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Event } from '../../../src/rules/types.ts'
import { makeClient, playService } from '../../client/world.ts'
import { runningJob, testQueues, useStores } from '../stores.ts'
import { notifiedIn, notifying } from '../test-context.ts'
import { evaluateBy, reads, readsApprovals, readsProject, rule } from './evaluate-world.ts'

playService()
const stores = useStores()
const ref = { project: 1, iid: 7 }
const approved = rule('{ accept: { pipeline: none } }', 'if: { approvals_given: 1 }')
const merged = { state: 'merged', merged_at: '2026-01-10T12:00:00.000Z' }
const bob = { id: 3, username: 'bob', state: 'active' }
const pushed = { from: null, to: 'a'.repeat(40), by: { id: 2, username: 'alice' } }

async function makeWorld(text = approved) {
  const queues = testQueues(stores)
  const { journal } = stores
  const now = () => Date.parse('2026-01-11T00:00:00Z')
  const context = { stores, queues, client: makeClient().client, now, operator: notifying }
  const evaluate = await evaluateBy(text, context)
  readsProject()
  await journal.pushes.add({ project: 1, branch: 'feature' }, [pushed])
  let events = 0
  const add = (kind: string, more: Partial<Event> = {}) => {
    const event: Event = { kind, actor: { id: 3, username: 'bob' }, at: '2026-01-11T00:00:00Z', ...ref, ...more }
    return journal.events.add(ref, { deliveryId: `d${events++}`, event })
  }
  const entries = async () => (await journal.audit.list({ limit: 9 })).items
  return {
    add,
    entries,
    evaluate: () => evaluate(runningJob(ref)),
    queued: () => queues.mergeRequests.list(['waiting', 'prioritized'], 0, 9),
    notified: () => notifiedIn(queues),
    /** It was evaluated open, with these approvals. */
    async evaluateOpen(...by: object[]) {
      reads()
      readsApprovals(...by)
      await add('merge_request.open', { actor: { id: 2, username: 'alice' } })
      await evaluate(runningJob(ref))
    },
    async mergedNow(fields: object = {}, ...by: object[]) {
      reads({ ...merged, ...fields })
      readsApprovals(...by)
      await evaluate(runningJob(ref))
      return entries()
    },
  }
}

const failed = ['approvals_given: expected 1, actual 0']
const unknown = [expect.stringContaining('what approvals_given was then is not known')]

test('one entry and one notification tell of a merge that no rule allows, at its time', async () => {
  const world = await makeWorld()
  await world.evaluateOpen()
  await world.add('merge_request.merge')
  const entry = { at: merged.merged_at, by: 'bob', to: { ...ref, rule: 'a', failed, unknown: [] } }
  expect(await world.mergedNow()).toMatchObject([entry])
  expect(await world.notified()).toMatchObject([
    { kind: 'merged_past_rules', about: { ...ref, by: 'bob', rule: 'a', conditions: failed } },
  ])
  await world.add('note.create')
  expect(await world.mergedNow({}, bob)).toHaveLength(1)
  expect(await world.notified()).toHaveLength(1)
})

test('rules may wait for it as an event, once, for the merge request and for the project', async () => {
  const wait = (more: string) =>
    `\n  - { name: w, ${more} on: merge_request.merged_past_rules, then: { notify: { to: team, text: "{{ actor }}" } } }`
  const world = await makeWorld(`${approved}${wait('')}${wait('for: project,').replace('name: w', 'name: p')}`)
  await world.evaluateOpen()
  await world.add('merge_request.merge')
  await world.mergedNow()
  const event = { kind: 'merge_request.merged_past_rules', ...ref, actor: { id: 3, username: 'bob' } }
  for (const of of [ref, { project: 1, iid: 0 }])
    expect(await stores.journal.events.pending(of)).toMatchObject([{ deliveryId: 'merge_past_rules 1 7', event }])
  expect(await world.queued()).toHaveLength(2)
})

describe('who merged', () => {
  it('is whom the service names, before the event', async () => {
    const world = await makeWorld()
    await world.add('merge_request.merge')
    expect(await world.mergedNow({ merge_user: { id: 4, username: 'carol' } })).toMatchObject([{ by: 'carol' }])
  })
  it('may be named by neither', async () => {
    const world = await makeWorld()
    await world.add('merge_request.merge', { actor: {} })
    expect(await world.mergedNow()).toMatchObject([{ by: '', to: { failed } }])
    expect(await world.notified()).toMatchObject([{ text: expect.stringContaining('Bellhop: somebody merged ') }])
  })
  it.each([
    ['the event', { actor: { id: 9, username: 'bellhop' } }, {}],
    ['the event without an id', { actor: { username: 'bellhop' } }, {}],
    ['the service', {}, { merge_user: { id: 9, username: 'renamed' } }],
  ])('is Bellhop according to %s', async (_, event, fields) => {
    const world = await makeWorld()
    await world.add('merge_request.merge', event)
    reads({ ...merged, ...fields })
    readsApprovals()
    await world.evaluate()
    expect(await world.entries()).toEqual([])
  })
  it('is Bellhop where nobody is named, and Bellhop had the service merge it', async () => {
    const world = await makeWorld()
    const memory = { ...emptyMemory(), of: { accept: { waitingSha: 'a'.repeat(40) } } }
    await stores.journal.mergeRequests.save(ref, { memory })
    await world.add('merge_request.merge', { actor: {} })
    expect(await world.mergedNow()).toEqual([])
  })
  it('is inert on the way to chats', async () => {
    const world = await makeWorld()
    await world.add('merge_request.merge', { actor: { id: 5, username: '@all [x](http://a)' } })
    expect(await world.mergedNow()).toMatchObject([{ by: '@all [x](http://a)' }])
    const [told] = await world.notified()
    expect(JSON.stringify(told)).not.toMatch(/@all|\]\(|:\/\/a/)
  })
})

describe('the facts', () => {
  it('are the present ones where an approval came before the merge, and no evaluation saw it', async () => {
    const world = await makeWorld()
    await world.evaluateOpen()
    await world.add('merge_request.approved', { head: 'a'.repeat(40) })
    await world.add('merge_request.merge')
    expect(await world.mergedNow({}, bob)).toEqual([])
  })
  it('are unknown where the service shows another approval, and no event tells of it; nobody is notified', async () => {
    const world = await makeWorld()
    await world.evaluateOpen()
    await world.add('merge_request.merge')
    expect(await world.mergedNow({}, bob)).toMatchObject([{ to: { failed: [], unknown } }])
    expect(await world.notified()).toEqual([])
  })
  it('of a merge that a sweep finds are those of the last evaluation, if they are still so', async () => {
    const world = await makeWorld()
    await world.evaluateOpen()
    expect(await world.mergedNow()).toMatchObject([{ by: '', to: { failed, unknown: [] } }])
  })
  it('of a merge that a sweep finds are unknown where they changed', async () => {
    const world = await makeWorld()
    await world.evaluateOpen()
    expect(await world.mergedNow({}, bob)).toMatchObject([{ to: { failed: [], unknown } }])
  })
  it('count only for the head that was merged', async () => {
    const world = await makeWorld()
    await world.evaluateOpen()
    const sha = 'b'.repeat(40)
    await stores.journal.pushes.add({ project: 1, branch: 'feature' }, [{ ...pushed, from: pushed.to, to: sha }])
    expect(await world.mergedNow({ sha })).toMatchObject([{ to: { failed: [], unknown } }])
  })
})

describe('no entry tells', () => {
  it('of one that was merged before Bellhop saw it', async () => {
    const world = await makeWorld()
    await world.add('note.create')
    reads(merged)
    readsApprovals()
    await world.evaluate()
    expect(await world.entries()).toEqual([])
  })
  it('of one that is closed, or open again by now', async () => {
    const world = await makeWorld()
    await world.add('merge_request.merge')
    reads({ state: 'closed' })
    readsApprovals()
    await world.evaluate()
    expect(await world.entries()).toEqual([])
  })
  it('of a project without rules', async () => {
    const world = await makeWorld(' []')
    await world.add('merge_request.merge')
    await world.evaluate()
    expect(await world.entries()).toEqual([])
  })
})

it('is evaluated where no rule had to read it', async () => {
  const never = rule('{ accept: { pipeline: none } }', 'if: { clock: { days: [mon], zone: UTC } }')
  const world = await makeWorld(never)
  await world.add('merge_request.merge')
  reads(merged)
  await world.evaluate()
  expect(await world.entries()).toMatchObject([{ to: { failed: [expect.stringContaining('clock: ')] } }])
})
