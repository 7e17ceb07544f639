// Bellhop's notes tell non-members nothing that the service hides from them. On Redis only (backend-independent).
import { onRedis } from '../../servers/on-redis.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const SECRET = 'The vault code is 4711'
const LABEL = 'secret-acquisition'
/** A member of a private group, and of nothing else. */
const MEMBER = 'carol.hidden'
const HIDDEN = '(not shown here: it may be private)'

const rules = `
version: 1
rules:
  - name: secure
    if: { closes_issue_titles: { any: { matches: "(?i)security" } } }
    then: { label: { add: security } }
  - name: vault
    if: { closes_issue_titles: { any: { matches: "vault" } } }
    then: { label: { add: vault } }
  - name: tell
    if: { title: { matches: "^Tell" } }
    then: { comment: "Closes {{ closes_issues }}: {{ closes_issue_titles }} [{{ closes_issue_labels }}]" }
  - name: rewrite
    command: rewrite
    if: { title: { matches: "^Rewrite" } }
    then: { update: { description: "{{ closes_issue_titles }}" } }
  - name: waiting
    if: { title: { matches: "^Wait" }, depends_on_open: { any: "*" } }
    then: { label: { add: waiting } }
  - name: free
    if: { title: { matches: "^Wait" }, dependencies_merged: true }
    then: { label: { add: free } }
  - name: ask
    command: ask
    then: { review: { pick: 9, from: { members_of: hotel/secret } } }
  - name: merge
    if: { title: { matches: "^Merge" } }
    then: { accept: { pipeline: none } }
  - name: tell what is missing
    if: { title: { matches: "^Wait and tell" } }
    then: { comment: "Open: {{ depends_on_open }}, all merged: {{ dependencies_merged }}" }
  - name: quote
    if: { title: { matches: "^Quote" } }
    then: { comment: "{{ title }}" }
`

interface Opened {
  iid: number
  notes(): Promise<string[]>
}

onRedis((queueUrl) => {
  let world: TestWorld
  let mallory: { id: number; username: string; token: string }
  let fork: number
  let next = 1

  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
    const { service, people, project, sandbox } = world
    const group = known((await service.projects.get({ id: project })).body.namespace?.id)
    await service.groups.update({ id: group, visibility: 'public' })
    await service.projects.update({ id: project, name: 'App', visibility: 'public' })
    const secret = { name: 'Secret', path: 'secret', parent_id: group, visibility: 'private' as const }
    const secretGroup = known((await service.groups.create(secret)).body.id)
    const email = `${MEMBER}@example.com`
    const member = known((await service.users.create({ username: MEMBER, name: MEMBER, email })).body.id)
    await service.groups.members.add({ id: secretGroup, user_id: member, access_level: 40 })
    await issue(project, 'The door sticks')
    await issue(project, `${SECRET} (own)`, { confidential: true })
    for (const [path, visibility] of [
      ['vault', 'private'],
      ['open', 'public'],
    ] as const) {
      const id = known((await service.projects.create({ name: path, path, visibility })).body.id)
      await service.projects.members.add({ id, user_id: people.bellhop.id, access_level: 20 })
      await issue(id, path === 'vault' ? SECRET : 'A window is open', { labels: path === 'vault' ? LABEL : 'glass' })
      await issue(id, `${SECRET} (confidential)`, { confidential: true, labels: LABEL })
      if (path === 'vault') await openAndMergeIn(id)
    }
    const id = known(
      (await service.users.create({ username: 'mallory', name: 'Mallory', email: 'mallory@example.com' })).body.id,
    )
    const { token } = (await service.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
    mallory = { id, username: 'mallory', token: known(token) }
    fork = known((await world.as(mallory).projects.fork({ id: project, namespace: 'mallory' })).body.id)
    await sandbox.idle()
    await world.settle()
  })
  afterAll(() => world?.end())

  async function issue(id: number, title: string, more: { confidential?: boolean; labels?: string } = {}) {
    await world.service.issues.create({ id, title, ...more })
  }

  /** In a project without merge requests: !1 stays open, !2 is merged. */
  async function openAndMergeIn(id: number) {
    const { repository, mergeRequests } = world.service
    const commit = async (branch: string, start: object) => {
      const actions = [{ action: 'create' as const, file_path: `${branch}.md`, content: branch }]
      await repository.commits.create({ id, branch, commit_message: branch, actions, ...start })
    }
    await commit('master', {})
    for (const branch of ['open', 'merged']) {
      await commit(branch, { start_branch: 'master' })
      await mergeRequests.create({ id, source_branch: branch, target_branch: 'master', title: SECRET })
    }
    await mergeRequests.accept({ id, merge_request_iid: 2 })
  }

  /** Opens one from the fork of somebody who is no member. */
  async function open(title: string, description: string, message = title): Promise<Opened> {
    const branch = `topic-${next++}`
    const strangers = world.as(mallory)
    const actions = [{ action: 'create' as const, file_path: `${branch}.md`, content: title }]
    await strangers.repository.commits.create({
      id: fork,
      branch,
      start_branch: 'master',
      commit_message: message,
      actions,
    })
    const target = { target_project_id: world.project, target_branch: 'master' }
    const { iid } = (
      await strangers.mergeRequests.create({ id: fork, source_branch: branch, ...target, title, description })
    ).body
    await world.settle()
    return { iid: known(iid), notes: () => notesOf(known(iid)) }
  }
  /** What Bellhop wrote, oldest first. */
  async function notesOf(iid: number): Promise<string[]> {
    const { body } = await world.service.mergeRequests.notes.list(world.ref(iid))
    return body
      .filter(({ author, system }) => author?.username === 'bellhop' && system !== true)
      .map((note) => note.body ?? '')
  }

  describe.sequential('an author who is no member', () => {
    test.each([
      ['of a private project', 'Closes root/vault#1'],
      ['that is confidential in a public project', 'Closes root/open#2'],
      ['that is confidential in the project itself', 'Closes #2'],
    ])('does not read an issue %s by asking why, and rules do not use it', async (_which, description) => {
      const { iid, notes } = await open('Read it', description)
      const seenByBot = await world.as(world.people.bellhop).mergeRequests.closesIssues(world.ref(iid))
      expect(JSON.stringify(seenByBot.body)).toContain(SECRET)
      expect((await world.as(mallory).mergeRequests.closesIssues(world.ref(iid))).body).toEqual([])
      await world.say(iid, '@bellhop why', mallory)
      const [why, ...others] = await notes()
      expect(others).toEqual([])
      expect(why).toContain(`closes_issue_titles must be any of matching "(?i)security", it is ${HIDDEN}`)
      expect(why).not.toMatch(/vault code|acquisition/)
      expect(await world.labels(iid)).toEqual([])
    })
    test('reads what everybody may read', async () => {
      const { iid, notes } = await open('Read it', 'Closes #1 and root/open#1 and root/vault#1')
      await world.say(iid, '@bellhop why', mallory)
      expect((await notes())[0]).toContain(`it is "The door sticks", "A window is open", ${HIDDEN}`)
    })
    test('does not read a private issue through a comment that quotes it', async () => {
      const { notes } = await open('Tell me', 'Closes root/open#1, root/vault#1')
      const [text, ...others] = await notes()
      expect(others).toEqual([])
      // The invisible character keeps the issue from being linked.
      expect(text).toContain(`Closes #\u200b1, ${HIDDEN}: A window is open, ${HIDDEN} [glass, ${HIDDEN}]`)
      expect(text).not.toMatch(/vault code|acquisition/)
    })
    test.each(['@', '&#64;', '&#x40;', '&commat;'])(
      'mentions nobody by %s in a title that a comment quotes',
      async (at) => {
        const title = `Quote it to ${at}alice`
        const { iid, notes } = await open(title, '')
        expect(await notes()).toHaveLength(1)
        const takePart = (await world.service.mergeRequests.participants(world.ref(iid))).body
        expect(takePart.map(({ username }) => username).sort()).toEqual(['bellhop', 'mallory'])
        await world.service.mergeRequests.notes.create({ ...world.ref(iid), body: title })
        expect((await world.service.mergeRequests.participants(world.ref(iid))).body).toContainEqual(
          expect.objectContaining({ username: 'alice' }),
        )
      },
    )
    test('does not learn whether a private merge request exists, is open or is merged', async () => {
      const shown: { labels: string[] | undefined; notes: string[] }[] = []
      for (const name of ['root/vault!1', 'root/vault!2', 'Root/Vault!2', 'root/vault!99', 'root/nothing!1']) {
        const { iid, notes } = await open('Wait and tell', `Depends on ${name}`)
        await world.say(iid, '@bellhop why', mallory)
        const texts = (await notes()).map((text) => text.replace(/at \w{8}/, ''))
        shown.push({ labels: await world.labels(iid), notes: texts })
      }
      const [first, ...others] = shown
      expect(first?.labels).toEqual([])
      expect(first?.notes.join()).toContain(`Open: ${HIDDEN}, all merged: ${HIDDEN}`)
      for (const each of others) expect(each).toEqual(first)
    })
    test.each([
      ['of a private project, by a description', 'Closes root/vault#1', undefined, 'root/vault', 1],
      ['of a private project, by its address', 'Fixes: {url}/Root/Vault/-/issues/1', undefined, 'root/vault', 1],
      [
        'of a private project, by a commit message',
        '',
        'Add\n\nresolves root/open#1 and root/vault#1',
        'root/vault',
        1,
      ],
      ['that is confidential in a public project', 'Closes root/open#2', undefined, 'root/open', 2],
      ['that is confidential in the project itself', '', 'Implements #2', 'hotel/app', 2],
    ])('does not close an issue %s, by having Bellhop merge', async (_which, description, message, id, issue_iid) => {
      const { iid, notes } = await open('Merge it', description.replace('{url}', world.sandbox.url), message)
      await world.say(iid, '@bellhop why', mallory)
      const { state } = (await world.service.issues.get({ id, issue_iid })).body
      expect([state, (await world.mergeRequest(iid)).state]).toEqual(['opened', 'opened'])
      expect((await notes())[0]).toContain(
        'does not act: **merge** (.bellhop.yml:26): closes_hidden_issues must be false',
      )
    })
    test('closes what it may see', async () => {
      const { iid } = await open('Merge it', 'Closes root/open#1', 'Closes #1 and root/nothing#1')
      expect((await world.mergeRequest(iid)).state).toBe('merged')
      expect((await world.service.issues.get({ id: 'root/open', issue_iid: 1 })).body.state).toBe('closed')
    })
    test('does not read a private issue through a description that quotes it', async () => {
      const { iid } = await open('Rewrite it', 'Closes root/vault#1')
      await world.say(iid, '@bellhop rewrite', world.people.renovate)
      const record = (await world.decisions(iid)).flatMap(({ rules: all }) => all.flatMap(({ actions }) => actions))
      expect(record).toContainEqual(expect.objectContaining({ action: 'update', result: 'blocked' }))
      expect((await world.mergeRequest(iid)).description).toBe('Closes root/vault#1')
    })
  })

  test('the operator still sees what a decision was made of', async () => {
    const { iid } = await world.open('By a member', { as: world.people.renovate, description: 'Closes #2' })
    expect(await world.labels(iid)).toEqual(['vault'])
    expect(JSON.stringify(await world.decisions(iid))).toContain(SECRET)
    await world.say(iid, '@bellhop why', world.people.alice)
    expect((await notesOf(iid)).join()).not.toContain(SECRET)
  })

  test('a change of the rules is tried on what everybody may read', async () => {
    await world.open('By another member', { as: world.people.renovate, description: 'Closes #2' })
    const guess =
      '  - name: guess\n    if: { closes_issue_titles: { any: { matches: "4711" } } }\n    then: { label: { add: guessed } }\n'
    const { iid } = await world.open('Guess', { files: { '.bellhop.yml': `${rules}${guess}` } })
    const [text, ...others] = await notesOf(iid)
    expect(others).toEqual([])
    expect(text).toContain('They would decide the same as the rules in force do now.')
  })

  test('who is in a private group is shown neither by a change of the rules nor by asking why', async () => {
    const { iid: asked } = await open('Ask them', '')
    await world.say(asked, '@bellhop ask\n@bellhop why')
    const reviewers = (await world.mergeRequest(asked)).reviewers?.map(({ username }) => username)
    expect([reviewers, await notesOf(asked)]).toEqual([
      expect.arrayContaining([MEMBER]),
      [
        expect.stringMatching(/^`ask`: \(not shown here: it may be private\)\./),
        expect.stringContaining(`review: ${HIDDEN}`),
      ],
    ])
    const guess = (group: string) => `
  - name: pick from ${group}
    if: { draft: false }
    then: { review: { pick: 9, from: { members_of: ${group} } } }
  - name: guess of ${group}
    if: { author: { members_of: ${group} } }
    then: { label: { add: found-in-${group.replace('/', '-')} } }
`
    const files = { '.bellhop.yml': `${rules}${guess('hotel/secret')}${guess('hotel')}` }
    const { iid } = await world.open('Who is there', { files })
    const [text, ...others] = await notesOf(iid)
    expect(others).toEqual([])
    expect(text).not.toMatch(new RegExp(`${MEMBER}|found-in-hotel-secret`))
    // A public group is no secret.
    expect(text).toContain('found-in-hotel')
  })

  test('somebody who is neither a member nor the author gets no answer', async () => {
    const { iid } = await world.open('Not yours')
    await world.say(iid, '@bellhop why', mallory)
    expect(await notesOf(iid)).toEqual([])
    await world.service.projects.members.add({ id: world.project, user_id: mallory.id, access_level: 10 })
    await world.say(iid, '@bellhop why', mallory)
    await world.service.projects.members.remove({ id: world.project, user_id: mallory.id })
    expect(await notesOf(iid)).toHaveLength(1)
  })
})
