// Votes change no other field: their hook is processed; a sweep makes good a lost one. On Redis, the quicker backend.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { neverListed, readMark, saveMark } from '../../../src/bot/sweep/sweep-mark.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: popular
    if: { upvotes: { at_least: 1 } }
    then: { label: { while: popular } }
  - name: thank
    on: emoji.award
    then: { subscribe: true }
`

onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
  })
  afterAll(() => world.end())

  const sweep = async () => {
    await world.bellhop.bot.queues.sweeps.add({ data: { is: 'tick' } })
    await world.settle()
  }
  const vote = (iid: number) =>
    world.as(world.people.alice).mergeRequests.awardEmoji.create({ ...world.ref(iid), name: 'thumbsup' })

  test('an emoji is an event of its merge request, and rules on votes follow it', async () => {
    const { iid } = await world.open('Voted for')
    const award = await vote(iid)
    await world.settle()
    expect(await world.mergeRequest(iid)).toMatchObject({ labels: ['popular'], subscribed: true })
    await world
      .as(world.people.alice)
      .mergeRequests.awardEmoji.delete({ ...world.ref(iid), award_id: award.body.id ?? 0 })
    await world.settle()
    expect(await world.labels(iid)).toEqual([])
  })

  test('the sweep finds a vote whose hook was lost, although the merge request shows no change', async () => {
    const { iid } = await world.open('Voted for unheard')
    await sweep()
    // As if the overlap had passed: from now on only what shows as a change counts as one.
    const { journal } = world.bellhop
    const mark = await readMark(journal, world.project)
    const list = { ...neverListed, ...mark.lists['merge requests'], confirmed: true }
    await saveMark(journal, world.project, { ...mark, lists: { ...mark.lists, 'merge requests': list } })
    const restore = world.sandbox.faults.hooks({ do: 'drop' })
    const before = (await world.mergeRequest(iid)).updated_at
    await vote(iid)
    await world.settle()
    expect(await world.mergeRequest(iid)).toMatchObject({ labels: [], upvotes: 1, updated_at: before })
    await sweep()
    restore()
    expect(await world.labels(iid)).toEqual(['popular'])
  })
})
