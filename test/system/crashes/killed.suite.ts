// Kill -9 between a call and what is stored about it: in the end each effect is there exactly once. Run on each queue.
import { eventually } from '../../eventually.ts'
import { always, type BotWorld, type Case, onEvent, startBotProcess, startBotWorld } from '../bot-world.ts'

/** A merge request for each, whose source branch has its name, and what is seen of it in the end. */
const cases: Record<string, Case & { shows: object }> = {
  spend: { rule: onEvent, does: '{ spend: 15m }', shows: { time_stats: { total_time_spent: 900 } } },
  comment: { rule: always, does: '{ comment: "Thank you." }', shows: { user_notes_count: 1 } },
  'comment-on': { rule: onEvent, does: '{ comment: "Seen: {{ title }}" }', shows: { user_notes_count: 1 } },
  label: { rule: always, does: '{ label: { add: seen } }', shows: { labels: ['seen'] } },
  'label-on': { rule: onEvent, does: '{ label: { set: seen } }', shows: { labels: ['seen'] } },
  approve: { rule: always, does: '{ approve: true }', shows: { state: 'opened' } },
  subscribe: { rule: always, does: '{ subscribe: true }', shows: { subscribed: true } },
  'todo-on': { rule: onEvent, does: '{ todo: true }', shows: { state: 'opened' } },
  'update-on': {
    rule: onEvent,
    does: '{ update: { title: "Draft: {{ title }}" } }',
    shows: { title: 'Draft: update-on' },
  },
  'close-on': { rule: onEvent, does: '{ close: true }', shows: { state: 'closed' } },
  accept: { rule: always, does: '{ accept: { pipeline: none } }', shows: { state: 'merged' } },
}
const names = Object.keys(cases)

/** `queueUrl` is asked when the suite starts; undefined is the embedded queue. */
export function killedSuite(queueUrl: () => string | undefined): void {
  let world: BotWorld
  beforeAll(async () => {
    world = await startBotWorld(cases, queueUrl())
  })
  afterAll(async () => {
    await world?.close()
  })

  test('what was interrupted by kill -9, before or after the service did it, is done once in the end', async () => {
    const { proxy, options, sandbox } = world
    let kills = 0
    let mail = options.mail
    for (const hold of ['before', 'after'] as const) {
      proxy.hold(hold)
      const left = names.length - effects(world).size
      const killed = await startBotProcess({ ...options, mail })
      // Each waits for its own call, and has made no other.
      await eventually(
        () => expect(proxy.held(), `${proxy.held().join('\n')}\n${killed.stderr()}`).toHaveLength(left),
        20,
      )
      await killed.kill()
      kills += proxy.held().length
      mail = []
    }
    proxy.hold('nothing')
    const last = await startBotProcess({ ...options, mail })
    expect(await last.ended, last.stderr()).toBe(0)
    expect(JSON.parse(last.stdout())).toEqual({ failed: 0 })

    for (const name of Object.keys(cases)) {
      const { body } = await world.bot.mergeRequests.get({
        id: world.project,
        merge_request_iid: world.iids.get(name) ?? 0,
      })
      expect(body, name).toMatchObject(cases[name]?.shows ?? {})
    }
    const done = effects(world)
    const doubled = names.filter((name) => (done.get(name) ?? 0) > 1)
    const lost = names.filter((name) => !done.has(name))
    expect({ doubled, lost }).toEqual({ doubled: [], lost: [] })
    expect(kills).toBe(2 * names.length)

    // Woken once more by an event that counted before: nothing is left to do.
    const before = sandbox.calls().length
    const again = await startBotProcess(options)
    expect(await again.ended, again.stderr()).toBe(0)
    expect(sandbox.calls().length).toBeGreaterThan(before)
    expect(effects(world)).toEqual(done)
  })
}

/** How often the bot changed each merge request, by the service's own record; what was so already is no change. */
function effects({ sandbox, botId, iids }: BotWorld): Map<string, number> {
  const done = new Map<string, number>()
  for (const { caller, method, applied, status, params } of sandbox.calls()) {
    if (caller !== botId || method === 'GET' || !applied || status === 304) continue
    const { merge_request_iid: iid } = params
    const name = names.find((each) => iids.get(each) === iid) ?? `of ${String(iid)}`
    done.set(name, (done.get(name) ?? 0) + 1)
  }
  return done
}
