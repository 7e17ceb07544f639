// A delivery that cannot concern a rule costs no API call, over real HTTP and the real queue; others cause fresh reads.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: of renovate
    if: { source_branch: { glob: "renovate/**" }, labels: { none: [hold] } }
    then: { label: { add: dependencies } }
`

let world: TestWorld
beforeAll(async () => {
  world = await startTestWorld({ rules })
})
afterAll(() => world?.end())

const open = (branch: string) => world.openMergeRequest({ branch })

/** The calls that Bellhop makes meanwhile. */
async function callsOf(what: () => Promise<unknown>): Promise<string[]> {
  const { id } = (await world.as(world.people.bellhop).users.current({})).body
  const before = world.sandbox.calls().length
  await what()
  await world.settle()
  const calls = world.sandbox.calls().slice(before)
  return calls.filter(({ caller }) => caller === id).map(({ endpoint }) => endpoint)
}

test('what no rule can care about is not read at all; what one can, is read and acted on', async () => {
  const [other, own] = [await open('feature/door'), await open('renovate/vitest')]
  await world.settle()
  const update = (iid: number, title: string) =>
    world.as(world.people.alice).mergeRequests.update({ ...world.ref(iid), title })
  const say = (iid: number) =>
    world.as(world.people.alice).mergeRequests.notes.create({ ...world.ref(iid), body: 'Nice.' })

  expect(await callsOf(() => update(other.iid, 'Another door'))).toEqual([])
  expect(await callsOf(() => say(other.iid))).toEqual([])
  expect((await world.mergeRequest(other.iid)).labels).toEqual([])
  const { items } = await world.bellhop.journal.deliveries.list({ project: world.project, limit: 1 })
  expect(items).toMatchObject([
    { state: 'no_merge_request', reason: 'No rule waits for it, or what it says rules them out.' },
  ])

  expect((await world.mergeRequest(own.iid)).labels).toEqual(['dependencies'])
  expect(await callsOf(() => update(own.iid, 'Vitest 5'))).toContain('mergeRequests.get')
})

test('a command that no rule has is answered once, also where no other rule can match', async () => {
  const { iid } = await open('feature/window')
  const alice = world.as(world.people.alice)
  const answers = async () => {
    await world.settle()
    const { body } = await alice.mergeRequests.notes.list({ ...world.ref(iid) })
    return body.flatMap(({ author, body: text }) => (author?.username === 'bellhop' ? [text] : []))
  }
  await alice.mergeRequests.notes.create({ ...world.ref(iid), body: '@bellhop merge' })
  const answered = await answers()
  expect(answered).toEqual([expect.stringContaining('No rule here answers to `merge`.')])
  await alice.mergeRequests.update({ ...world.ref(iid), title: 'A window' })
  expect(await answers()).toEqual(answered)
  expect((await world.mergeRequest(iid)).state).toBe('opened')
})
