// The queue tests the target itself where that may be red.
import { pauseDetails } from '../../src/merge-queue/words.ts'
import { QueueWorld } from './queue-world.ts'

/** The pipeline of the build without members ends so, retries included. */
function targetIs(world: QueueWorld, status: 'success' | 'failed'): QueueWorld {
  const times = status === 'failed' ? Number(world.settings.retries) + 1 : 1
  return world.ends('', status, times)
}

describe('after a push just before a landing', () => {
  /** !1 landed on what somebody pushed: nobody tested both together. */
  function pushedBelow(isAsMerged = true): QueueWorld {
    const world = QueueWorld.green({}, 2)
    world.step()
    world.leave(1)
    world.target = { commit: 'merge', tree: 'T+x+1@h1' }
    const commit = isAsMerged ? { commit: 'merge' } : {}
    world.landing = { is: 'landed', tree: 'T+x+1@h1', onto: 'foreign', ...commit }
    return world.settle()
  }

  test('the target is tested, and nothing else is built', () => {
    const world = pushedBelow()
    expect(world.record.builds.map(({ members }) => members)).toEqual([[]])
    expect([...world.branches.values()].map(({ tree }) => tree)).toEqual(['T+x+1@h1'])
    expect([world.record.paused, world.log]).toEqual([undefined, ['landed 1']])
  })

  test('green: the queue goes on', () => {
    const world = targetIs(pushedBelow(), 'success')
    expect([world.chain(), world.record.paused, world.record.testing]).toEqual(['2', undefined, undefined])
    expect(world.pipeline('2', 'success').settle().log.at(-1)).toBe('landed 2')
  })

  test('red: the queue pauses, and names both commits', () => {
    const world = targetIs(pushedBelow(), 'failed')
    expect(world.record.paused).toMatchObject({ reason: 'unverified_landing', commits: ['foreign', 'merge'] })
    expect(world.record.paused && pauseDetails(world.record.paused)).toBe(
      'what landed is not what was tested: foreign was pushed just before merge landed, which is red on top of it',
    )
    expect(world.chain()).toBe('')
  })

  test('another push meanwhile: the new target is tested', () => {
    const world = pushedBelow().pushToTarget().settle()
    expect([...world.branches.values()].map(({ tree }) => tree)).toEqual(['T+x+1@h1+x'])
    expect(targetIs(world, 'success').chain()).toBe('2')
  })

  test('anything else that differs pauses the queue at once', () => {
    expect(pushedBelow(false).record.paused?.reason).toBe('unverified_landing')
  })
})

describe('where the first entry is red alone, and the target has no green pipeline', () => {
  /** !1 is red on a target that nobody tested. */
  function redFront(): QueueWorld {
    const world = new QueueWorld({ retries: 0 }).enter(1, 2, 3)
    world.isTargetGreen = false
    return world.settle().ends('1', 'failed')
  }

  test('the target is tested once: green removes the entry, and no later one needs that test', () => {
    const world = redFront()
    expect([world.chain(), world.record.removals]).toEqual(['', []])
    targetIs(world, 'success')
    expect(world.record.removals).toMatchObject([{ member: { iid: 1 }, reason: 'pipeline_failed' }])
    expect(world.chain()).toBe('2 | 3')
    world.ends('2', 'failed')
    expect([world.record.removals.length, world.chain()]).toEqual([2, '3'])
  })

  test('red: nobody leaves, and the queue pauses and names the commit until the target is green', () => {
    const world = targetIs(redFront(), 'failed')
    expect(world.record).toMatchObject({ removals: [], paused: { reason: 'target_red', commits: ['c0'] } })
    expect([world.chain(), world.branches.size]).toEqual(['', 0])
    // A push that repairs nothing.
    targetIs(world.pushToTarget().settle(), 'failed')
    expect(world.record.paused).toMatchObject({ reason: 'target_red', commits: [world.target?.commit] })
    targetIs(world.pushToTarget().settle(), 'success')
    expect([world.record.paused, world.chain()]).toEqual([undefined, '1 | 2'])
    expect(world.log).toEqual(['target_red'])
  })

  test('red: the queue goes on where the target’s own pipeline is green', () => {
    const world = targetIs(redFront(), 'failed')
    world.isTargetGreen = true
    expect([world.settle().record.paused, world.chain()]).toEqual([undefined, '1 | 2'])
  })

  test('who was removed on the same target comes back', () => {
    const world = new QueueWorld({ retries: 0 }).enter(1, 2).settle().ends('1', 'failed')
    world.leave(1).settle()
    world.isTargetGreen = false
    targetIs(world.ends('2', 'failed'), 'failed')
    expect(world.record.returned).toMatchObject([{ member: { iid: 1, head: 'h1' } }])
    expect(world.record.removals).toEqual([])
  })

  test('an entry that leaves meanwhile ends the test, and so does another target', () => {
    expect(redFront().leave(1).settle().chain()).toBe('2 | 3')
    expect(redFront().pushToTarget().settle().chain()).toBe('1 | 2')
  })

  test('what landed last is green', () => {
    const world = QueueWorld.green({ retries: 0 }, 2).settle()
    world.isTargetGreen = false
    expect(world.ends('2', 'failed').record.removals).toHaveLength(1)
  })
})
