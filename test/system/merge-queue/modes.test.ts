// The merge queue in projects of another kind than the usual one; with real git.
import { afterEach, describe, expect, test } from 'vitest'
import { known } from '../world.ts'
import { type QueueWorld, startQueueWorld } from './queue-world.ts'

let world: QueueWorld | undefined
afterEach(() => world?.end())

async function start(queue: string, project: object = {}): Promise<QueueWorld> {
  world = await startQueueWorld({ queue })
  await world.service.projects.update({ id: world.project, name: 'App', ...project })
  return world
}

describe('a fast-forward project', () => {
  test('with land: push: what was rebased and tested lands, and counts as merged where the service sees it', async () => {
    const queue = await start('    land: push', { merge_method: 'ff' })
    const one = await queue.enter('one')
    const two = await queue.enter('two')
    const tested = known((await queue.builds())[2])
    await queue.report(1, 'success')
    expect([await queue.target(), await queue.stateOf(one.iid)]).toEqual([one.sha, 'merged'])
    await queue.report(2, 'success')
    expect(await queue.target()).toBe(tested)
    expect([await queue.stateOf(two.iid), (await queue.record())?.paused]).toEqual(['closed', undefined])
    expect((await queue.notes(two.iid)).join()).toContain(`landed it rebased: ${tested} is the last commit`)
    const { body } = await queue.service.repository.commits.list({ id: queue.project, ref_name: 'master' })
    expect(body.filter(({ parent_ids }) => known(parent_ids).length > 1)).toEqual([])
  })

  test('with land: accept: it pauses, and throws nobody out', async () => {
    const queue = await start('', { merge_method: 'ff' })
    const one = await queue.enter('one')
    expect([(await queue.record())?.paused?.reason, await queue.stateOf(one.iid)]).toEqual(['merge_method', 'opened'])
  })
})
