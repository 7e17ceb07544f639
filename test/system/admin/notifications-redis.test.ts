// Notifications in the real flow, which does not wait for them. On Redis only (backend-independent).
import { hookSignature } from '../../../src/api/hooks.ts'
import { bellhopHere } from '../../cli/run-here.ts'
import { eventually } from '../../eventually.ts'
import { type NoticeReceiver, secretOfAddress, startNoticeReceiver, well } from '../../notice-receiver.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: label all
    if: { state: opened }
    then: { label: { add: seen } }
`
const signing = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
// Nobody listens there: the service gives up.
const unreachable = 'http://127.0.0.1:1'
const retryDelays = {
  outageMs: 200,
  badTokenMs: 200,
  storeMs: 200,
  attempts: 3,
  firstBackoffMs: 20,
  callMs: 400,
  notifyAfterMs: 100,
}

onRedis((queueUrl) => {
  let world: TestWorld
  let receiver: NoticeReceiver
  beforeAll(async () => {
    receiver = await startNoticeReceiver()
    world = await startTestWorld({
      ...{ rules, retryDelays, disableFailingHooks: true },
      settings: { BELLHOP_NOTIFY_URL: receiver.url, BELLHOP_NOTIFY_SECRET: signing, BELLHOP_URL: unreachable },
      queueUrl: queueUrl(),
    })
  })
  afterAll(async () => {
    await world?.end()
    await receiver?.close()
  })
  afterEach(() => {
    world.sandbox.faults.clear()
    receiver.answer = well
  })

  const push = (files: Record<string, string>) =>
    world.clone.push({ as: world.people.renovate, branch: 'master', files, message: 'Change' })
  const open = (name: string) => world.openMergeRequest({ branch: name })
  const shell = (...args: string[]) =>
    bellhopHere(args, { BELLHOP_ADMIN_URL: world.bellhop.url, BELLHOP_ADMIN_TOKEN: world.adminToken })
  const toldOf = (kind: Parameters<NoticeReceiver['notices']>[0]) => receiver.notices(kind)
  const toldOfHook = (hook: number | undefined) =>
    toldOf('hook_disabled').filter(({ about }) => 'hook' in about && about.hook === hook)
  const noticesDone = () =>
    eventually(async () => expect((await world.bellhop.bot.queues.notifications.counts()).waiting).toBe(0))

  describe.sequential('operators are notified', () => {
    test('of a job that failed for good, which is done when it is retried after the cause was mended', async () => {
      const mend = world.sandbox.faults.api({
        endpoint: 'repository.files.get',
        caller: 'bellhop',
        do: { status: 403 },
      })
      const { iid } = await open('refused')
      const failed = () =>
        toldOf('job_failed').filter(({ about }) => 'queue' in about && about.queue === 'mergeRequests')
      await eventually(() =>
        expect(failed()).toMatchObject([
          { about: { project: world.project, iid, reason: expect.stringContaining('403') } },
        ]),
      )
      expect(await world.labels(iid)).toEqual([])
      const { headers, body } = receiver.taken[0] ?? { headers: {}, body: '' }
      const id = String(headers['webhook-id'])
      expect(JSON.parse(body)).toMatchObject({ version: 1, id })
      expect(headers['webhook-signature']).toBe(
        hookSignature(signing, { id, timestamp: String(headers['webhook-timestamp']), body }),
      )
      // Retried too early, it fails once more, and that is told as well.
      const [job] = await world.bellhop.bot.queues.mergeRequests.list(['failed'], 0, 1)
      expect(await shell('queue', 'retry', 'mergeRequests', job?.id ?? '')).toMatchObject({
        code: 0,
        out: expect.stringContaining('enqueued again'),
      })
      await eventually(() => expect(failed()).toHaveLength(2))
      mend()
      for (const lane of ['mergeRequests', 'ruleChanges'])
        expect(await shell('queue', 'retry', lane, '--all')).toMatchObject({ code: 0 })
      await world.settle()
      expect(await world.labels(iid)).toEqual(['seen'])
      expect((await world.bellhop.bot.queues.mergeRequests.counts()).failed).toBe(0)
    })

    test('of a rule file that is broken, once however often it is read, and again of the next broken version', async () => {
      const pushRules = (text: string) => push({ '.bellhop.yml': text })
      await pushRules(`${rules}    mode: "<!channel> @all"\n`)
      await eventually(() => expect(toldOf('rule_file_broken')).toHaveLength(1))
      const named = { project: world.project, projectPath: 'hotel/app', path: '.bellhop.yml' }
      expect(toldOf('rule_file_broken')).toMatchObject([
        { about: { ...named, problems: [expect.stringMatching(/^\.bellhop\.yml:6:/)] } },
      ])
      await open('meanwhile')
      await push({ 'a.md': 'a\n' })
      await world.settle()
      await pushRules(`${rules}    mood: act\n`)
      await eventually(() => expect(toldOf('rule_file_broken')).toHaveLength(2))
      await pushRules(rules)
      await world.settle()
      await noticesDone()
      expect(toldOf('rule_file_broken')).toHaveLength(2)
    })

    test('of an outage that lasts, once, and that it is over', async () => {
      const mend = world.sandbox.faults.api({ caller: 'bellhop', do: 'drop' })
      const { iid } = await open('outage')
      const looks = () => world.log.filter(({ event }) => event === 'service_paused').length
      await eventually(() => expect(toldOf('service_paused')).toHaveLength(1))
      const before = looks()
      await eventually(() => expect(looks()).toBeGreaterThan(before + 1))
      mend()
      await world.settle()
      await eventually(() => expect(toldOf('service_works_again')).toHaveLength(1))
      expect(toldOf('service_paused')).toMatchObject([{ about: { is: 'unreachable' } }])
      expect(await world.labels(iid)).toEqual(['seen'])
    })

    test('later where nobody listens at the moment, also after a restart; the work goes on meanwhile', async () => {
      receiver.answer = (response) => void response.writeHead(502).end()
      const { bot } = world.bellhop
      const about = { project: world.project, projectPath: 'hotel/app', hook: world.hookId, until: null }
      await bot.notify({ kind: 'hook_disabled', about }, 'once')
      await eventually(() =>
        expect(world.log.filter(({ event }) => event === 'notification_not_sent').length).toBeGreaterThan(0),
      )
      const { iid } = await open('meanwhile-2')
      await world.settle()
      expect(await world.labels(iid)).toEqual(['seen'])
      await bot.stop(5_000)
      expect(toldOfHook(world.hookId)).toEqual([])
      receiver.answer = well
      bot.start()
      await eventually(() => expect(toldOfHook(world.hookId)).toMatchObject([{ about }]))
      await bot.notify({ kind: 'hook_disabled', about }, 'once')
      await noticesDone()
      expect(toldOfHook(world.hookId)).toHaveLength(1)
    })

    test('of a hook that the service has disabled, found by a sweep, once', async () => {
      const { service, project } = world
      const hook = (
        await service.projects.hooks.create({ id: project, url: `${unreachable}/hooks`, push_events: true })
      ).body.id
      for (const file of ['1.md', '2.md', '3.md', '4.md']) {
        await push({ [file]: file })
        await world.sandbox.idle()
      }
      const sweep = async () => {
        await world.bellhop.bot.sweep('hotel/app', false)
        await world.settle()
        await noticesDone()
      }
      await sweep()
      await eventually(() =>
        expect(toldOfHook(hook)).toMatchObject([{ about: { project, until: expect.stringMatching(/^20.*Z$/) } }]),
      )
      await sweep()
      expect(toldOfHook(hook)).toHaveLength(1)
      await service.projects.hooks.delete({ id: project, hook_id: hook ?? 0 })
    })

    test('and nothing of it shows a secret, nor does the log the receiver’s address', () => {
      const said = receiver.taken.map(({ body }) => body).join()
      for (const secret of [secretOfAddress, signing, world.adminToken, world.hookSecret, world.people.bellhop.token])
        expect(said).not.toContain(secret)
      expect(world.rawLog.join()).not.toContain(secretOfAddress)
      expect(world.rawLog.join()).toContain('a notification was sent')
    })
  })
})
