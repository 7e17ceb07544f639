// Trust over real HTTP and git: policy, modes, includes, new-rule limit, evasions. On Redis only (backend-independent).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clone } from '../../../src/cli/demo/small-world.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { commitsOf, known, startTestWorld, type TestWorld } from '../world.ts'

const policy = `
version: 1
policy:
  - projects: hotel/app
    include_from: hotel/rules
    new_rule_limit: 3
  - projects: hotel/*
    repository_rules: { deny: [close] }
`
const operatorRules = `
version: 1
projects: hotel/*
rules:
  - name: operator labels
    if: { title: { matches: "." } }
    then: { label: { add: seen } }
`
const shared = (label: string) => `
version: 1
rules:
  - name: shared
    if: { title: { matches: "^Shared" } }
    then: { label: { add: ${label} } }
`
const own = `
version: 1
include: { project: hotel/rules, file: shared.yml }
rules:
  - name: merge small things
    if: { title: { matches: "^Small" } }
    then: { accept: { pipeline: none } }
  - name: approve
    if: { title: { matches: "^Approve" } }
    then: { approve: true }
  - name: close
    if: { title: { matches: "^Close" } }
    then: { close: true }
`

onRedis((queueUrl) => {
  let world: TestWorld
  const { folder } = ownFolder()
  let rulesProject: number
  let rulesClone: Clone
  let next = 1

  beforeAll(async () => {
    await writeFile(join(folder, 'policy.yml'), policy)
    await writeFile(join(folder, 'hotel.yml'), operatorRules)
    world = await startTestWorld({
      rules: own,
      queueUrl: queueUrl(),
      settings: { BELLHOP_RULES: folder, BELLHOP_NEW_RULE_LIMIT: '10' },
    })
    const { service } = world
    const group = known((await service.projects.get({ id: world.project })).body.namespace?.id)
    const made = (await service.projects.create({ name: 'Rules', path: 'rules', namespace_id: group })).body
    rulesProject = known(made.id)
    rulesClone = { push: commitsOf(world, rulesProject) }
    await pushShared(shared('one'))
    await service.projects.hooks.create({
      id: rulesProject,
      url: `${world.bellhop.url}/hooks`,
      token: world.hookSecret,
      push_events: true,
      merge_requests_events: true,
    })
    // The rules of the project were read before what they include was there.
    await pushRules(`${own}# included from now on\n`)
  })
  afterAll(() => world.end())

  async function pushShared(text: string): Promise<void> {
    // Never the same text twice: git commits no change that is none.
    const files = { 'shared.yml': `${text}# ${next++}\n` }
    await rulesClone.push({ as: world.people.renovate, branch: 'master', files, message: 'Rules for all' })
  }
  async function pushRules(text: string): Promise<void> {
    await world.clone.push({
      as: world.people.renovate,
      branch: 'master',
      files: { '.bellhop.yml': text },
      message: 'Rules',
    })
    await world.settle()
  }
  const state = async (iid: number) => (await world.mergeRequest(iid)).state
  const ruleIn = async (iid: number, name: string) =>
    (await world.decisions(iid))[0]?.rules.find((rule) => rule.name === name)

  describe.sequential('trust', () => {
    test('what the policy denies to the repository’s rules is blocked, and the decision says so', async () => {
      const { iid } = await world.open('Close this')
      expect(await state(iid)).toBe('opened')
      expect((await ruleIn(iid, 'close'))?.actions).toMatchObject([
        { result: 'blocked', detail: 'the operator’s policy does not allow close in the repository’s own rules' },
      ])
    })

    test('rules are merged by small steps, but never their own replacement', async () => {
      const harmless = await world.open('Small thing')
      expect(await state(harmless.iid)).toBe('merged')
      const evil = own.replace('"^Small"', '"."')
      const { iid } = await world.open('Small change of rules', { files: { '.bellhop.yml': evil } })
      expect(await state(iid)).toBe('opened')
      expect((await ruleIn(iid, 'merge small things'))?.actions[0]?.detail).toMatch(/^it changes \.bellhop\.yml/)
    })

    test('rules on a branch of their own have no say', async () => {
      const evil = own.replace('"^Small"', '"^Evil"')
      const { iid } = await world.open('Evil', { files: { '.bellhop.yml': evil } })
      expect(await state(iid)).toBe('opened')
      expect((await ruleIn(iid, 'merge small things'))?.verdict).toBe('false')
    })

    test('a repository’s rules merge into no other branch than the default one', async () => {
      await world.service.repository.branches.create({ id: world.project, branch: 'release', ref: 'master' })
      const branch = `other-${next++}`
      await world.clone.push({ as: world.people.alice, branch, files: { 'x.md': 'x' }, message: 'x' })
      const made = await world.as(world.people.alice).mergeRequests.create({
        id: world.project,
        source_branch: branch,
        target_branch: 'release',
        title: 'Small, elsewhere',
      })
      await world.settle()
      expect(await state(known(made.body.iid))).toBe('opened')
    })

    test('a project’s own rules do not merge a change of a file that other projects include', async () => {
      const merging =
        'version: 1\nrules:\n  - { name: all, if: { title: { matches: "." } }, then: { accept: { pipeline: none } } }\n'
      await rulesClone.push({
        as: world.people.renovate,
        branch: 'master',
        files: { '.bellhop.yml': merging },
        message: 'Rules',
      })
      await world.settle()
      const stateOf = async (files: Record<string, string>, branch: string) => {
        await rulesClone.push({ as: world.people.renovate, branch, files, message: branch })
        const id = { id: rulesProject }
        const made = await world
          .as(world.people.renovate)
          .mergeRequests.create({ ...id, source_branch: branch, target_branch: 'master', title: branch })
        await world.settle()
        return (await world.service.mergeRequests.get({ ...id, merge_request_iid: known(made.body.iid) })).body.state
      }
      expect(await stateOf({ 'notes.md': 'x' }, 'notes')).toBe('merged')
      expect(await stateOf({ 'shared.yml': shared('evil') }, 'sneak')).toBe('opened')
    })

    test('while what is included is broken its last good version labels, nothing is merged, and no error quotes it', async () => {
      await pushShared(shared('good'))
      await world.settle()
      onTestFinished(async () => {
        await pushShared(shared('good'))
        await world.settle()
      })
      await pushShared('password: hunter2\n')
      await world.settle()
      expect(await world.labels((await world.open('Shared again')).iid)).toContain('good')
      const { iid } = await world.open('Small again')
      expect(await state(iid)).toBe('opened')
      expect((await ruleIn(iid, 'merge small things'))?.actions[0]?.detail).toMatch(
        /^hotel\/rules:shared\.yml has problems/,
      )
      expect(world.rawLog.filter((line) => line.includes('hunter2') || line.includes('password'))).toEqual([])
    })

    test('new rules act only so often an hour, and say when they will go on', async () => {
      const opened: number[] = []
      for (let n = 0; n < 5; n += 1) opened.push((await world.open(`Approve ${n}`)).iid)
      const approved = opened.filter((iid) => world.calls(iid).some(({ action }) => action === 'approve'))
      expect(approved).toHaveLength(3)
      const held = opened.filter((iid) => !approved.includes(iid))
      for (const iid of held)
        expect((await ruleIn(iid, 'approve'))?.actions).toMatchObject([
          { result: 'blocked', detail: expect.stringContaining('the new-rule limit') },
        ])
    })
  })

  describe.sequential('a merge request that changes the rules', () => {
    const notes = async (iid: number) =>
      (await world.service.mergeRequests.notes.list(world.ref(iid))).body.flatMap(({ author, body = '' }) =>
        author?.username === 'bellhop' ? [body] : [],
      )
    const changing = (title: string, text: string) => world.open(title, { files: { '.bellhop.yml': text } })
    const evil = `${own}  - name: more
    if: { title: { matches: "^Compare" } }
    then: { label: { add: compared } }
`

    test('gets one note that says what would be decided differently, keeps it up to date, and fails if it cannot be read', async () => {
      const failures = async (iid: number) => {
        const { sha = '' } = (await world.service.mergeRequests.get(world.ref(iid))).body
        const { body } = await world.service.repository.statuses.list({ id: world.project, sha: sha ?? '' })
        return body.filter(({ status }) => status === 'failed').map(({ name, description }) => [name, description])
      }
      const other = await world.open('Compare `@root` | <!-- me')
      const { iid, branch } = await changing('Other rules', evil)
      const [note] = await notes(iid)
      expect(note).toContain('This changes the rules of Bellhop')
      expect(note?.split('\n').find((line) => line.includes(`!${other.iid}`))).toContain('label: add "compared"')
      expect(note).not.toMatch(/@root|<!-- me/)
      expect(await failures(iid)).toEqual([])
      await world.clone.push({
        as: world.people.alice,
        branch,
        files: { '.bellhop.yml': 'rules: 12\n' },
        message: 'Worse',
      })
      await world.settle()
      expect(await notes(iid)).toEqual([expect.stringContaining('.bellhop.yml:1:8: rules: expected a list')])
      expect(await failures(iid)).toEqual([
        ['bellhop/rules', expect.stringContaining('.bellhop.yml:1:8: rules: expec')],
      ])
      expect(await state(iid)).toBe('opened')
    })

    test('loses its note when it changes them no more', async () => {
      const { iid, branch } = await changing('Other rules for a while', evil)
      expect(await notes(iid)).toHaveLength(1)
      const { content = '' } = (
        await world.service.repository.files.get({ id: world.project, file_path: '.bellhop.yml', ref: 'master' })
      ).body
      const text = Buffer.from(content, 'base64').toString()
      await world.clone.push({
        as: world.people.alice,
        branch,
        files: { '.bellhop.yml': text, 'other.md': 'x' },
        message: 'Back',
      })
      await world.settle()
      expect(await notes(iid)).toEqual([])
    })
  })
})
