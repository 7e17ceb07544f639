// What becomes of an accept whose answer does not come, or is an error.
import type { CallFault } from '../../../src/sandbox/http/faults.ts'
import type { MergeWorld } from './world.ts'

const accept = 'mergeRequests.accept'

export function acceptFaultsSuite(given: () => MergeWorld): void {
  describe.sequential('an accept of uncertain effect', () => {
    test.each<[string, CallFault]>([
      ['that was answered with 500', { status: 500 }],
      ['whose connection broke before it was handled', 'drop'],
    ])('%s and had none is never sent again before the state was read, and merges once', async (_what, fault) => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.sandbox.faults.api({ endpoint: accept, times: 1, do: fault })
      await world.green(sha, branch)
      const [first, second, ...others] = world.accepts(iid)
      expect([first?.applied, second?.applied, others]).toEqual([false, true, []])
      expect(world.readingsBetween(iid, first, second)).toBeGreaterThan(0)
      world.expectMerged(iid, sha)
    })

    test.each<[string, CallFault]>([
      ['that was answered with 502', { status: 502, body: '<html>Bad Gateway</html>', handled: true }],
      ['whose answer was lost', 'lose_response'],
      ['whose answer broke off', 'half_body'],
    ])('%s and had its effect is never sent again', async (_what, fault) => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.sandbox.faults.api({ endpoint: accept, times: 1, do: fault })
      await world.green(sha, branch)
      expect(world.accepts(iid)).toMatchObject([{ applied: true }])
      world.expectMerged(iid, sha)
      expect(await world.bellhop.bot.queues.mergeRequests.counts()).toMatchObject({ waiting: 0, active: 0, failed: 0 })
    })

    test('never merges a head that was pushed while its answer was awaited', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.sandbox.faults.api({ endpoint: accept, times: 1, do: { status: 502 } })
      let newHead = ''
      world.before(accept, async () => {
        newHead = await world.push(branch)
      })
      await world.green(sha, branch)
      expect(world.accepts(iid)).toHaveLength(1)
      await world.expectOpen(iid)
      await world.green(newHead, branch)
      world.expectMerged(iid, newHead)
    })
  })

  describe.sequential('an accept that a rate limit turned away', () => {
    const limited: CallFault = { status: 429, headers: { 'Retry-After': '1' } }

    test('is never sent again before all was evaluated again, and merges once', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.sandbox.faults.api({ endpoint: accept, times: 1, do: limited })
      await world.green(sha, branch)
      const [first, second, ...others] = world.accepts(iid)
      expect([first?.status, second?.status, others]).toEqual([429, 200, []])
      // Evaluated, and read again just before it is sent.
      expect(world.readingsBetween(iid, first, second)).toBeGreaterThan(1)
      world.expectMerged(iid, sha)
    })

    test('is never sent again when a label forbids it by then', async () => {
      const world = given()
      const { iid, sha, branch } = await world.open('merge')
      world.sandbox.faults.api({ endpoint: accept, times: 1, do: limited })
      world.before(accept, () => world.change(iid, { add_labels: 'hold' }))
      await world.green(sha, branch)
      expect(world.accepts(iid)).toMatchObject([{ status: 429 }])
      await world.expectOpen(iid)
    })
  })
}
