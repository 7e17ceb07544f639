// The merge queue on request: comments put a merge request into it and take it out. On Redis, the quicker backend.
import { acceptMemory } from '../../../src/rules/actions/definition/accept-memory.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { shareQueueWorld } from './queue-world.ts'

const rules = `version: 1
queues: [{ name: main, target: master, retries: 0 }]
rules:
  - { name: queue on request, command: queue, then: { accept: { queue: main } } }
  - { name: leave the queue, command: dequeue, then: { cancel_accept: true } }
`
onRedis((url) => {
  const inNewProject = shareQueueWorld(() => ({ queueUrl: url() }))

  test('it enters, leaves, enters again, is removed by a red pipeline, and returns when somebody requests it', async () => {
    const world = await inNewProject(rules)
    const { iid } = await world.enter('one')
    const { renovate } = world.people
    await world.makeTargetGreen()
    expect(await world.numbers()).toEqual([])
    await world.say(iid, '@bellhop queue', renovate)
    expect(await world.numbers()).toEqual([1])
    await world.say(iid, '@bellhop dequeue', renovate)
    expect(await world.numbers()).toEqual([])
    await world.say(iid, '@bellhop queue', renovate)
    expect(await world.numbers()).toEqual([2])
    await world.report(2, 'failed')
    expect(await world.numbers()).toEqual([])
    const memory = await world.bellhop.journal.mergeRequests.memory({ project: world.project, iid })
    expect(acceptMemory(memory ?? {}).queueRemoval?.reason).toBe('pipeline_failed')
    await world.say(iid, '@bellhop queue', renovate)
    expect(await world.numbers()).toEqual([3])
    await world.report(3, 'success')
    expect(await world.stateOf(iid)).toBe('merged')
  })
})
