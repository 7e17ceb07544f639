// The admin API over real HTTP: finding, replaying, pausing, discarding. On Redis only (backend-independent).
import type { OverviewResponse } from '../../../src/admin/api/routes/overview.ts'
import type { ProjectResponse } from '../../../src/admin/api/routes/projects.ts'
import type { ProjectRulesSummary, RulesResponse } from '../../../src/admin/api/routes/rules.ts'
import type { DecisionRecord, DeliveryRecord, JournalPage } from '../../../src/journal/types.ts'
import { builtCommand } from '../../built-command.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { startProgram } from '../process.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - name: of docs
    if: { changed_files: { all: "docs/**" }, state: opened }
    then: { label: { add: documentation } }
  - name: never yet
    on: merge_request.close
    then: { subscribe: true }
`

onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
  })
  afterAll(() => world?.end())

  const open = async (name: string) =>
    (await world.open(name, { branch: name, files: { [`docs/${name}.md`]: name } })).iid
  async function ask<T>(path: string, post?: object): Promise<{ status: number; body: T }> {
    const response = await fetch(`${world.bellhop.url}/admin/api${path}`, {
      method: post === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${world.adminToken}`, 'content-type': 'application/json' },
      ...(post === undefined ? {} : { body: JSON.stringify(post) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  }
  const find = async (iid: number, more = '') =>
    (await ask<JournalPage<DeliveryRecord>>(`/deliveries?project=${world.project}&iid=${iid}${more}`)).body.items

  describe.sequential('the admin API', () => {
    test('leads from a delivery to its decisions and back, whichever way it is looked for', async () => {
      const iid = await open('links')
      const [delivery, ...others] = await find(iid, '&kind=merge_request.open')
      expect(others).toEqual([])
      const { body: shown } = await ask<{ decisions: DecisionRecord[] }>(`/deliveries/${delivery?.id}`)
      const [decision] = shown.decisions
      expect(decision).toMatchObject({
        mergeRequest: { iid },
        responses: [{ result: 'done' }],
        evaluation: expect.any(String),
      })
      expect(decision?.files).toEqual([
        { path: '.bellhop.yml', blob: expect.any(String), commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      ])
      const lines = world.log.filter((line) => [line.delivery, line.deliveries].flat().includes(delivery?.id))
      const steps = lines
        .map(({ event }) => event)
        .filter((event, at, all) => event !== undefined && all.indexOf(event) === at)
      expect(steps).toEqual(['delivery_accepted', 'delivery_read', 'rule_matched', 'evaluated', 'call', 'decided'])
      expect(lines.find(({ event }) => event === 'call')).toMatchObject({
        mergeRequest: expect.stringMatching(`!${iid}$`),
        rules: [expect.stringContaining('of docs')],
      })
      const back = await ask<{ triggeredBy: { id: string }[] }>(`/decisions/${decision?.id}`)
      expect(back.body.triggeredBy.map(({ id }) => id)).toContain(delivery?.id)
      for (const query of [`delivery=${delivery?.id}`, `evaluation=${decision?.evaluation}`]) {
        const { items } = (await ask<JournalPage<DecisionRecord>>(`/decisions?${query}`)).body
        const ids = items.map(({ id }) => id)
        expect(ids, query).toContain(decision?.id)
      }
    })

    test('the command follows what comes to the bot, each once, and ends quietly at Ctrl-C', async () => {
      const before = await open('followed-before')
      const env = {
        PATH: process.env.PATH,
        BELLHOP_ADMIN_URL: world.bellhop.url,
        BELLHOP_ADMIN_TOKEN: world.adminToken,
      }
      const args = ['deliveries', 'list', '--follow', '--kind', 'merge_request.open']
      const running = startProgram([process.execPath, await builtCommand(), ...args], { env })
      onTestFinished(() => void running.child.kill('SIGKILL'))
      const line = (iid: number) =>
        new RegExp(`^\\S+  \\S+  merge_request\\.open  read  hotel/app!${iid} · followed-\\w+$`, 'm')
      await running.says(line(before))
      const meanwhile = await open('followed-meanwhile')
      await running.says(line(meanwhile))
      running.child.kill('SIGINT')
      expect(await running.ended).toEqual({ code: 0, signal: null })
      const shown = running.stdout().trimEnd().split('\n')
      expect(shown.slice(-2)).toEqual([before, meanwhile].map((iid) => expect.stringMatching(line(iid))))
      expect([new Set(shown).size, running.stderr()]).toEqual([shown.length, ''])
    })

    test('counts what happens, by the hour, by the day and by project', async () => {
      const overview = async () => (await ask<OverviewResponse>('/overview')).body
      /** Deliveries, decisions, calls and how many decisions waited. */
      const countsOf = ({ buckets, latency }: OverviewResponse['hour']) => [
        ...(['deliveries', 'decisions', 'done'] as const).map((of) => buckets.reduce((all, each) => all + each[of], 0)),
        latency.count,
      ]
      const ofProject = ({ projects }: OverviewResponse) => projects.find(({ project }) => project === world.project)
      const logged = () =>
        ['delivery_read', 'decided', 'call'].map((name) => world.log.filter(({ event }) => event === name).length)
      const [before, linesBefore] = [await overview(), logged()]
      const iid = await open('counted')
      const after = await overview()
      const waited = (await world.decisions(iid)).filter(({ waitedMs }) => waitedMs !== undefined).length
      const more = [...logged().map((lines, at) => lines - (linesBefore[at] ?? 0)), waited]
      expect(more[2]).toBe(1)
      for (const part of ['hour', 'day'] as const) {
        const expected = countsOf(before[part]).map((count, at) => count + (more[at] ?? 0))
        expect(countsOf(after[part]), part).toEqual(expected)
      }
      const done = (ofProject(before)?.done ?? 0) + 1
      expect(ofProject(after)).toMatchObject({ path: 'hotel/app', lastDelivery: expect.any(String), done })
      expect(after.status).toEqual({ service: { is: 'fine' }, capacity: { is: 'available' } })
      expect(after.hour.buckets).toHaveLength(12)
      expect([24, 25]).toContain(after.day.buckets.length)
      const { p50Ms = 0, p95Ms = 0 } = after.hour.latency
      expect([p50Ms > 0, p95Ms >= p50Ms]).toEqual([true, true])
    })

    test('shows the rules in force, how often each matched, and which never did', async () => {
      const rulesNow = async () => (await ask<RulesResponse>(`/rules/${world.project}`)).body
      await open('held')
      const rules = await rulesNow()
      const [file] = rules.files
      expect(rules).toMatchObject({ path: 'hotel/app', branch: 'master', mode: 'act', problems: [] })
      expect(file).toMatchObject({ path: '.bellhop.yml', trust: 'repository', broken: false, blob: expect.any(String) })
      expect(file?.commit).toMatch(/^[0-9a-f]{40}$/)
      const [docs, never] = file?.rules ?? []
      expect(docs).toMatchObject({ name: 'of docs', line: 4, mode: 'act', unknown: 0, lastMatched: expect.any(String) })
      expect(docs?.acted).toBeGreaterThan(0)
      const none = { acted: 0, matched: 0, unknown: 0 }
      expect(never).toEqual({ name: 'never yet', line: 7, mode: 'act', on: ['merge_request.close'], ...none })
      const { body } = await ask<JournalPage<ProjectRulesSummary>>('/rules')
      const counted = { rules: 2, neverMatched: 1, problems: [] }
      const url = expect.stringMatching(/\/hotel\/app$/)
      expect(body.items).toEqual([
        { project: world.project, path: 'hotel/app', url, readAt: expect.any(String), hook: null, ...counted },
      ])
      expect((await ask('/rules/999999')).status).toBe(404)
      expect((await ask('/rules?after=x')).status).toBe(400)
      expect((await ask(`/rules?after=${world.project}`)).body).toEqual({ items: [] })
    })

    test('tells when the last delivery of a project came; of its hook nothing where no address of Bellhop is set', async () => {
      const iid = await open('hooked')
      const [newest] = await find(iid)
      const { body } = await ask<ProjectResponse>(`/projects/${world.project}`)
      expect(body).toMatchObject({ project: world.project, path: 'hotel/app', hook: null })
      expect(Date.parse(body.lastDelivery ?? '')).toBeGreaterThanOrEqual(Date.parse(newest?.receivedAt ?? ''))
    })

    test('replays a delivery and a decision, each with its number, and keeps who asked and why', async () => {
      const iid = await open('dry')
      const [delivery] = await find(iid, '&kind=merge_request.open')
      const number = await ask(`/deliveries/${delivery?.id}/replay`, { why: 'to see' })
      expect(number).toMatchObject({ status: 202, body: { replayed: true, number: 1 } })
      await world.settle()
      const [newest] = await world.decisions(iid)
      expect(newest).toMatchObject({ calls: [], replayOf: [{ of: 'delivery', id: delivery?.id, number: 1 }] })
      const again = await ask(`/decisions/${newest?.id}/replay`, { why: 'once more' })
      expect(again).toMatchObject({ status: 202, body: { number: 1 } })
      await world.settle()
      expect((await world.decisions(iid))[0]).toMatchObject({
        replayOf: [{ of: 'decision', id: newest?.id, number: 1 }],
      })
      const { items } = (await ask<JournalPage<object>>('/audit?limit=2')).body
      expect(items).toMatchObject([
        { by: 'admin', operation: 'replay_decision', to: { id: newest?.id }, why: 'once more', status: 202 },
        { by: 'admin', operation: 'replay_delivery', to: { id: delivery?.id }, why: 'to see', status: 202 },
      ])
    })

    test('shows a body with its secrets masked', async () => {
      await world.deliver(
        JSON.stringify({ object_kind: 'odd', token: 'hush', variables: [{ key: 'CI', value: 'hush' }], kept: 'seen' }),
      )
      await world.settle()
      const [delivery] = (await ask<JournalPage<DeliveryRecord>>('/deliveries?limit=1')).body.items
      const { status, body } = await ask(`/deliveries/${delivery?.id}/body`)
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('seen')])
      expect(JSON.stringify(body)).not.toContain('hush')
      // The journal has it: the job, which is known for longer, has it no more.
      expect(JSON.stringify(await world.bellhop.bot.queues.deliveries.get(delivery?.id ?? ''))).not.toContain('hush')
    })
  })
})
