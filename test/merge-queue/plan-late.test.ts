// What the merge queue does while the service does not give the head of an entry.
import { minute, QueueWorld } from './queue-world.ts'

const startedLate = (settings = {}) => {
  const world = new QueueWorld(settings)
  world.late.add(1)
  return world.enter(1, 2).settle()
}

describe('a head that the service does not give', () => {
  test('is looked for again, less and less often', () => {
    const world = startedLate()
    expect([world.looks, world.changesAt]).toEqual([1, 5_000])
    world.wait(5)
    expect([world.looks, world.log, world.chain()]).toEqual([8, [], '1 | 2'])
    expect(Number(world.changesAt) - world.now).toBeLessThanOrEqual(2 * minute)
  })

  test('removes nobody when it comes within ten minutes', () => {
    const world = startedLate().wait(9)
    world.late.clear()
    world.wait(1)
    expect([...world.branches.values()].map(({ tree }) => tree)).toEqual(['T+1@h1', 'T+1@h1+2@h2'])
    world.wait(60).pipeline('1', 'success').settle().pipeline('2', 'success').settle()
    expect(world.log).toEqual(['landed 1', 'landed 2'])
  })

  test('leaves after ten minutes, and the one behind it is tested', () => {
    const world = startedLate().wait(10)
    expect([world.log, world.chain()]).toEqual([['1: head_missing'], '2'])
    expect(world.pipeline('2', 'success').settle().log).toEqual(['1: head_missing', 'landed 2'])
  })

  test('is counted from the first look in vain, whatever process looks', () => {
    const world = startedLate()
    world.after(60).restart().settle()
    expect(world.log).toEqual(['1: head_missing'])
  })

  test('leaves a batch, and takes only those with it that are missing too', () => {
    const world = new QueueWorld({ land: 'push', batch: { most: 4, waitMs: 0 } })
    world.late.add(2).add(3)
    world.enter(1, 2, 3, 4).settle().wait(10)
    expect([world.log, world.chain()]).toEqual([['2: head_missing', '3: head_missing'], '1,4'])
  })

  test('does not hold up those in front of it', () => {
    const world = new QueueWorld().enter(1, 2)
    world.late.add(2)
    world.settle().pipeline('1', 'success').settle()
    expect([world.log, world.chain()]).toEqual([['landed 1'], '2'])
    expect(world.wait(10).log).toEqual(['landed 1', '2: head_missing'])
  })
})
