// Whatever happens to a merge queue: it lands only what was tested, comes to rest, and starves nobody.
import fc from 'fast-check'
import { minute, QueueWorld } from './queue-world.ts'
import { history, live } from './random-history.ts'

test('only tested trees land, from the heads that were requested, and everything lands or leaves once all is green', () => {
  fc.assert(
    fc.property(history, (given) => void live(given)),
    { numRuns: 300 },
  )
})

test('an entry is overtaken only by those whose priority is higher than its own by more than the minutes they came later', () => {
  const priority = fc.integer({ min: -200, max: 200 })
  const others = fc.array(fc.record({ priority, after: fc.integer({ min: 0, max: 30 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(priority, others, (own, those) => {
      const world = new QueueWorld({ speculate: { least: 1, most: 1 } }).enter(1).change(1, { priority: own })
      const came = new Map<string, { minutes: number; priority: number }>()
      for (const [index, other] of those.entries()) {
        const iid = index + 2
        world.after(other.after).enter(iid).change(iid, { priority: other.priority })
        came.set(`landed ${iid}`, { minutes: world.now / minute, priority: other.priority })
        if (index % 2 === 1) world.settle().pipeline(world.chain(), 'success').settle()
      }
      for (world.settle(); world.chain() !== ''; world.settle()) world.pipeline(world.chain(), 'success').settle()
      expect(world.log).toHaveLength(those.length + 1)
      for (const landed of world.log.slice(0, world.log.indexOf('landed 1'))) {
        const other = came.get(landed)
        expect(Number(other?.priority) - own).toBeGreaterThan(Number(other?.minutes))
      }
    }),
    { numRuns: 100 },
  )
})
