// Label calls lose responses while people undo them: what people undid stays so. On Redis only (backend-independent).
import type { CallFault } from '../../../src/sandbox/http/faults.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: puts x
    if: { source_branch: { glob: "puts-*" } }
    then: { label: { add: x } }
  - name: takes y
    if: { source_branch: { glob: "takes-*" } }
    then: { label: { remove: y } }
`
const update = 'mergeRequests.update'
const ways = {
  puts: { before: [], after: ['x'], undo: { remove_labels: 'x' } },
  takes: { before: ['y'], after: [], undo: { add_labels: 'y' } },
}
type Way = keyof typeof ways

onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({
      rules,
      retryDelays: { firstBackoffMs: 100, outageMs: 100 },
      queueUrl: queueUrl(),
    })
  })
  afterAll(async () => {
    await world?.sandbox.idle()
    await world?.end()
  })

  const asAlice = (iid: number, change: object) =>
    world.as(world.people.alice).mergeRequests.update({ ...world.ref(iid), ...change })
  const labels = async (iid: number) => await world.labels(iid)
  const lane = () => world.bellhop.bot.queues.mergeRequests
  const ofBot = (iid: number) =>
    world.sandbox
      .calls()
      .filter(
        (call) =>
          call.endpoint === update && call.caller === world.people.bellhop.id && call.params.merge_request_iid === iid,
      )
  const loseHooks = () => world.sandbox.faults.hooks({ event: 'merge_request', do: 'drop' })
  const heard = async () => {
    await world.sandbox.idle()
    await world.bellhop.bot.queues.deliveries.settled()
  }

  /** Its first call meets `fault`, whose effect is not read before the queue resumes. `hooks`: those of that call. */
  async function openAndLose(
    way: Way,
    name: string,
    fault: CallFault,
    hooks: 'lost' | 'sent' = 'sent',
  ): Promise<number> {
    await lane().pause()
    const branch = `${way}-${name}`
    const { iid } = await world.openMergeRequest({
      branch,
    })
    if (ways[way].before.length > 0) await asAlice(iid, { add_labels: ways[way].before.join() })
    await heard()
    world.before(
      update,
      async () => {
        await lane().pause()
        if (hooks === 'lost') loseHooks()
      },
      world.people.bellhop,
    )
    world.sandbox.faults.api({ endpoint: update, caller: world.people.bellhop.username, times: 1, do: fault })
    await lane().resume()
    await eventually(() => expect(world.calls(iid)).toMatchObject([{ result: 'ambiguous' }]), 5)
    await heard()
    world.sandbox.faults.clear()
    return iid
  }
  const cameOf = async (iid: number) => (await world.decisions(iid)).flatMap((each) => each.settled?.outcome ?? [])
  async function goOn(iid: number, came: string): Promise<void> {
    await lane().resume()
    await eventually(async () => expect(await cameOf(iid)).toEqual([came]), 20)
    await world.settle()
  }
  /** A hook says whole seconds: of two changes within one it does not tell which came first. */
  async function nextSecond(): Promise<void> {
    const second = () => Math.floor(Date.now() / 1000)
    const before = second()
    await eventually(() => expect(second()).toBeGreaterThan(before), 5)
  }

  describe.sequential.each(['puts', 'takes'] as const)('a call that %s a label, and whose answer was lost', (way) => {
    const { before, after, undo } = ways[way]

    test.each(['none', 'its-own', 'the-persons'])(
      'is not made again when a person undid it, where of the two hooks %s is lost',
      async (lost) => {
        const iid = await openAndLose(way, lost, 'lose_response', lost === 'its-own' ? 'lost' : 'sent')
        expect([await labels(iid), await cameOf(iid)]).toEqual([after, []])
        await nextSecond()
        if (lost === 'the-persons') loseHooks()
        await asAlice(iid, undo)
        await heard()
        world.sandbox.faults.clear()
        await goOn(iid, 'done')
        // Woken once more: nothing is left to do.
        await asAlice(iid, { title: 'Another title' })
        await world.settle()
        expect(await labels(iid)).toEqual(before)
        expect(ofBot(iid)).toMatchObject([{ applied: true }])
      },
    )

    test('is made again when it was never done', async () => {
      const iid = await openAndLose(way, 'never', 'drop')
      await goOn(iid, 'not_done')
      expect(await labels(iid)).toEqual(after)
      expect(ofBot(iid)).toMatchObject([{ applied: false }, { applied: true }])
    })
  })
})
