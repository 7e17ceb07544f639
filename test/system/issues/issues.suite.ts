// Rules for issues over real HTTP, the real queue and the sandbox: events, commands, sweeps, and confidential issues.
import type { SandboxOptions } from '../../../src/sandbox/start-sandbox.ts'
import { storedText } from '../stored-text.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: triage
    for: issues
    if: { state: opened, title: { matches: door } }
    then:
      label: { add: triage }
      comment: "@{{ author }}, thank you. Somebody looks at it."
      assign: renovate-bot
      milestone: "1.0"
      estimate: 2h
      subscribe: true
      todo: true

  - name: close stale
    for: issues
    if: { state: opened, labels: { any: [forgotten] }, inactive_for: { older_than: 0m } }
    then: { close: true }

  - name: reopen what is still wanted
    for: issues
    on: issue.update
    if: { state: closed, labels: { any: [wanted] } }
    then: { reopen: true }

  - name: quote
    for: issues
    if: { confidential: true }
    then: { comment: "About {{ title }}" }

  - name: count changes
    for: issues
    on: [issue.update, note.create]
    if: { title: { matches: counted } }
    then: { spend: 1h }

  - name: close on request
    for: issues
    command: close
    if: { actor_access: { at_least: developer } }
    then: { close: true }

  - name: popular
    for: issues
    if: { upvotes: { at_least: 1 } }
    then: { label: { while: popular } }

  - name: merge requests
    if: { title: { matches: door } }
    then: { label: { add: a merge request } }
`

/** The same on each tier. */
export function issueSuite(queueUrl: () => string | undefined, tier: NonNullable<SandboxOptions['tier']>): void {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl(), tier })
    const { project: id, hookId: hook_id, hookSecret: token } = world
    const all = { push_events: true, merge_requests_events: true, note_events: true, emoji_events: true }
    const ofIssues = { issues_events: true, confidential_issues_events: true, confidential_note_events: true }
    const url = `${world.bellhop.url}/hooks`
    await world.service.projects.hooks.update({ id, hook_id, url, token, ...all, ...ofIssues })
    await world.service.milestones.create({ id, title: '1.0' })
  })
  afterAll(() => world.end())

  const ref = (issue_iid: number) => ({ id: world.project, issue_iid })
  const alice = () => world.as(world.people.alice)
  const bot = () => world.as(world.people.bellhop)
  const issue = async (iid: number) => (await bot().issues.get(ref(iid))).body
  async function open(title: string, more: object = {}): Promise<number> {
    const { body } = await alice().issues.create({ id: world.project, title, ...more })
    await world.settle()
    return known(body.iid)
  }
  async function update(iid: number, change: object): Promise<void> {
    await alice().issues.update({ ...ref(iid), ...change })
    await world.settle()
  }
  async function say(iid: number, body: string, as = world.people.alice): Promise<void> {
    await world.as(as).issues.notes.create({ ...ref(iid), body })
    await world.settle()
  }
  const notes = async (iid: number) =>
    (await bot().issues.notes.list(ref(iid))).body.filter(({ system }) => system !== true)
  async function sweep(): Promise<void> {
    await world.bellhop.bot.queues.sweeps.add({ data: { is: 'tick' } })
    await world.settle()
  }
  async function unheard<T>(what: () => Promise<T>): Promise<T> {
    const restore = world.sandbox.faults.hooks({ do: 'drop' })
    return what().finally(restore)
  }

  describe.sequential('an issue', () => {
    test('that is opened is labelled, answered, assigned, planned and followed, once', async () => {
      const iid = await open('The door sticks')
      expect(await issue(iid)).toMatchObject({
        ...{ labels: ['triage'], milestone: { title: '1.0' }, subscribed: true },
        ...{ assignees: [{ username: 'renovate-bot' }], time_stats: { time_estimate: 7200 } },
      })
      expect(await notes(iid)).toMatchObject([{ body: expect.stringContaining('@alice, thank you') }])
      const actions = () => world.calls(-iid).map(({ action }) => action)
      expect(actions()).toContain('todo')
      const before = actions()
      await say(iid, 'It still does.')
      expect(await notes(iid)).toHaveLength(2)
      expect(actions()).toEqual(before)
    })

    test('and the merge request with its number do not disturb each other', async () => {
      const { iid } = await world.open('Oil the door')
      expect(iid).toBe(1)
      expect(await world.labels(iid)).toEqual(['a merge request'])
      expect(await issue(1)).toMatchObject({ labels: ['triage'] })
      await world.say(1, '@bellhop close')
      expect([(await issue(1)).state, (await world.mergeRequest(1)).state]).toEqual(['opened', 'opened'])
      await update(1, { labels: '' })
      expect([(await issue(1)).labels, await world.labels(1)]).toEqual([[], ['a merge request']])
      expect((await world.decisions(-1)).length).toBeGreaterThan(0)
      const range = { since: new Date(0), until: new Date(Date.now() + 7 * 24 * 3_600_000) }
      const times = await world.bellhop.journal.mergeRequests.times({ ...range }, 10)
      expect(times.filter(({ mergeRequest }) => mergeRequest.iid < 1)).toEqual([])
    })

    test('is closed by a command of a member, and reopened by an event', async () => {
      const iid = await open('A window')
      await say(iid, 'Done.\n\n@bellhop close')
      expect((await issue(iid)).state).toBe('closed')
      await update(iid, { add_labels: 'wanted' })
      expect((await issue(iid)).state).toBe('opened')
    })

    test('is labelled while it has votes', async () => {
      const iid = await open('A lamp')
      const { body } = await alice().issues.awardEmoji.create({ ...ref(iid), name: 'thumbsup' })
      await world.settle()
      expect((await issue(iid)).labels).toEqual(['popular'])
      await alice().issues.awardEmoji.delete({ ...ref(iid), award_id: known(body.id) })
      await world.settle()
      expect((await issue(iid)).labels).toEqual([])
    })

    test('starts no rule by what Bellhop does', async () => {
      const iid = await open('To be counted: a door')
      const spent = async () => (await issue(iid)).time_stats?.total_time_spent
      expect(await spent()).toBe(0)
      await update(iid, { description: 'By a person.' })
      await say(iid, 'By a person too.')
      expect(await spent()).toBe(7200)
      expect((await issue(iid)).labels).toEqual(['triage'])
    })
  })

  test('a sweep finds an issue whose hooks were lost, and closes one that is stale', async () => {
    const iid = await unheard(() => open('Another door'))
    const stale = await unheard(() => open('An old thing', { labels: 'forgotten' }))
    expect((await issue(iid)).labels).toEqual([])
    await sweep()
    expect((await issue(iid)).labels).toEqual(['triage'])
    expect((await issue(stale)).state).toBe('closed')
  })

  test('a confidential issue’s texts are in no record, log line, page or answer', async () => {
    const secret = 'cellar-key-7193'
    const iid = await open(`The door of ${secret}`, { confidential: true, description: `Under ${secret}.` })
    expect((await issue(iid)).labels).toEqual(['triage'])
    await say(iid, `It is ${secret}`)
    await say(iid, `${secret}\n\n@bellhop close`)
    expect((await issue(iid)).state).toBe('closed')
    await update(iid, { title: `No more ${secret}`, state_event: 'reopen' })
    const { items } = await world.bellhop.journal.deliveries.list({ limit: 50 })
    const own = items.filter(({ mergeRequests }) => mergeRequests.some((each) => each.iid === -iid))
    expect(own.length).toBeGreaterThan(3)
    const admin = async (path: string) => {
      const headers = { authorization: `Bearer ${world.adminToken}` }
      return (await fetch(`${world.bellhop.url}/admin/api${path}`, { headers })).text()
    }
    for (const { id } of own) {
      const shown = `${await admin(`/deliveries/${id}`)}${await admin(`/deliveries/${id}/body`)}`
      expect(shown).toContain('confidential')
      expect(shown).not.toContain(secret)
    }
    const [name] = await world.bellhop.journal.mergeRequests.names([{ project: world.project, iid: -iid }])
    expect(name).toMatchObject({ title: 'a confidential issue', url: expect.stringContaining(`/issues/${iid}`) })
    expect(await admin('/decisions?limit=100')).not.toContain(secret)
    // Bodies in PostgreSQL are stored compressed: the journal is read as well.
    const bodies = await Promise.all(own.map(({ id }) => world.bellhop.journal.deliveries.body(id)))
    expect(bodies.filter((body) => body !== undefined)).toHaveLength(own.length)
    expect(JSON.stringify(bodies)).not.toContain(secret)
    expect(await storedText(world.bellhop.queue.store)).not.toContain(secret)
    expect(world.rawLog.filter((line) => line.includes(secret))).toEqual([])
  })
}
