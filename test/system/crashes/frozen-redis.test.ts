// A process is frozen for longer than its lock while another does its work: when it resumes, it repeats nothing.
import { eventually } from '../../eventually.ts'
import { hasPostgresServer } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { always, type BotWorld, type Case, onEvent, startBotProcess, startBotWorld } from '../bot-world.ts'

/** The first call of each can be held, and the second must not be made twice. */
const cases: Record<string, Case> = {
  spend: { rule: onEvent, does: '{ label: { add: seen }, spend: 15m }' },
  comment: { rule: always, does: '{ label: { add: seen }, comment: "Thank you." }' },
  'comment-on': { rule: onEvent, does: '{ label: { add: seen }, comment: "Seen: {{ title }}" }' },
  accept: { rule: always, does: '{ label: { add: seen }, accept: { pipeline: none } }' },
}
const names = Object.keys(cases)

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('on Redis', () => {
  let redis: TestRedis
  let world: BotWorld
  beforeEach(async () => {
    redis = await startRedis()
    world = await startBotWorld(cases, redis.url)
  })
  afterEach(async () => {
    await world?.close()
    await redis?.stop()
  })

  test.each<[string, { method: RegExp; path: RegExp }]>([
    ['while it reads what it will evaluate', { method: /GET/, path: /merge_requests\/\d+$/ }],
    ['between two calls', { method: /PUT|POST/, path: /./ }],
  ])(
    'frozen %s, and taken over: every effect is there once',
    async (_when, which) => {
      const { proxy, options, sandbox } = world
      proxy.hold('after', ({ method, path }) => which.method.test(method) && which.path.test(path))
      const frozen = await startBotProcess(options)
      await eventually(() => expect(proxy.held(), frozen.stderr()).toHaveLength(names.length), 20)
      frozen.child.kill('SIGSTOP')

      const other = await startBotProcess({ ...options, serviceUrl: sandbox.url, mail: [] })
      expect(await other.ended, other.stderr()).toBe(0)
      expect(JSON.parse(other.stdout())).toEqual({ failed: 0 })
      const done = effects(world)

      proxy.release()
      proxy.hold('nothing')
      frozen.child.kill('SIGCONT')
      expect(await frozen.ended, frozen.stderr()).toBe(0)
      const after = effects(world)
      const taken = frozen.stderr().split('"event":"job_taken_over"').length - 1
      expect(after).toEqual(done)
      expect(Object.fromEntries(after)).toEqual(once)
      expect(taken).toBe(names.length)
    },
    400_000,
  )
})

const once = {
  'spend mergeRequests.update': 1,
  'spend mergeRequests.addSpentTime': 1,
  'comment mergeRequests.update': 1,
  'comment mergeRequests.notes.create': 1,
  'comment-on mergeRequests.update': 1,
  'comment-on mergeRequests.notes.create': 1,
  'accept mergeRequests.update': 1,
  'accept mergeRequests.accept': 1,
}

/** How often the bot sent each write, by the service's own record: also what was refused counts. */
function effects({ sandbox, botId, iids }: BotWorld): Map<string, number> {
  const done = new Map<string, number>()
  for (const { caller, method, endpoint, params } of sandbox.calls()) {
    if (caller !== botId || method === 'GET') continue
    const key = `${names.find((each) => iids.get(each) === params.merge_request_iid)} ${endpoint}`
    done.set(key, (done.get(key) ?? 0) + 1)
  }
  return done
}
