// Attacks with real git: Bellhop backports no unreviewed content to another branch. On Redis, the quicker backend.
import { moveRef } from '../../../src/sandbox/git/refs.ts'
import { writeFiles } from '../../../src/sandbox/git/write-commits.ts'
import { announceRefs } from '../../../src/sandbox/pushes/follow-pushes.ts'
import { userById } from '../../../src/sandbox/storage/world.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { inNewProject, known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: backport
    if: { state: merged, target_branch: master }
    then: { backport: { to: [stable] } }
  - name: trust own backports
    if: { author: [bellhop], target_branch: stable, state: opened, pushed_by: { all: [bellhop] } }
    then: { label: { add: [trusted] } }
`
type File = { path: string; content?: string }

onRedis((queueUrl) => {
  let first: TestWorld
  let world: TestWorld
  beforeAll(async () => {
    first = await startTestWorld({ rules: 'version: 1\nrules: []\n', queueUrl: queueUrl() })
  })
  afterAll(() => first.end())
  beforeEach(async () => {
    world = await inNewProject(first, rules)
    await world.service.repository.branches.create({ id: world.project, branch: 'stable', ref: 'master' })
  })

  const listed = async (target_branch = 'stable') =>
    (await world.service.mergeRequests.list({ id: world.project, target_branch, state: 'all', scope: 'all' })).body
  const head = async (branch: string) =>
    known((await world.service.repository.branches.get({ id: world.project, branch })).body.commit?.id)
  const has = (ref: string, file_path: string) =>
    world.service.repository.files.get({ id: world.project, file_path, ref }).then(
      () => true,
      () => false,
    )
  const ownNotes = async (iid: number) =>
    (await world.service.mergeRequests.notes.list(world.ref(iid))).body.filter(
      ({ author, system }) => author?.username === 'bellhop' && system !== true,
    )
  const merge = async (iid: number) => {
    await world.service.mergeRequests.accept(world.ref(iid))
    await world.settle()
  }
  /** alice pushes a commit with these parents: the files of the first, and these changes. */
  const push = (branch: string, parents: string[], files: File[]) =>
    world.sandbox.within((inside) =>
      inside.serialise(`project ${world.project}`, async () => {
        const alice = userById(inside, world.people.alice.id)
        const actions = files.map(({ path, content }) => ({
          action: content === undefined ? ('delete' as const) : ('create' as const),
          ...{ file_path: path, content: Buffer.from(content ?? '') },
        }))
        const commit = { parents, message: `Work on ${branch}`, author: alice, committer: alice, actions }
        const sha = await writeFiles(inside, world.project, parents[0] ?? null, commit)
        const ref = `refs/heads/${branch}`
        const before = inside.projects.get(world.project)?.known_refs[ref] ?? '0'.repeat(40)
        await moveRef(inside, world.project, ref, before, sha)
        await announceRefs(inside, world.project, alice, [ref])
        return sha
      }),
    )
  const openFrom = async (source_branch: string, target_branch = 'master') => {
    const made = await world
      .as(world.people.alice)
      .mergeRequests.create({ id: world.project, source_branch, target_branch, title: `Merge ${source_branch}` })
    await world.settle()
    return known(made.body.iid)
  }
  const evil = { path: 'src/evil.js', content: 'evil()\n' }
  const docs = { path: 'docs/a.md', content: 'A\n' }

  test('what a merge commit took out again does not come to another branch: people get the commands', async () => {
    await world.service.projects.update({ id: world.project, name: `ff ${world.project}`, merge_method: 'ff' })
    const master = await head('master')
    const first = await push('docs', [master], [docs, evil])
    const side = await push('side', [master], [{ path: 'docs/b.md', content: 'B\n' }])
    await push('docs', [first, side], [{ path: 'src/evil.js' }])
    const iid = await openFrom('docs')
    await merge(iid)
    expect([await has('master', 'docs/a.md'), await has('master', 'src/evil.js')]).toEqual([true, false])
    expect(await listed()).toEqual([])
    expect(await has(`backport/${iid}-to-stable`, 'src/evil.js')).toBe(false)
    const notes = await ownNotes(iid)
    expect(notes).toHaveLength(1)
    expect(notes[0]?.body).toContain('its branch has merge commits')
    expect(notes[0]?.body).toContain('git apply --3way')
  })

  test('commits that bring more there than the merge request showed are for people, others are picked', async () => {
    await world.service.projects.update({ id: world.project, name: `ff ${world.project}`, merge_method: 'ff' })
    await push('stable', [await head('stable')], [{ path: 'guard.js', content: 'guard()\n' }])
    // Only the other branch has the file: the first commit changes nothing there, and the second takes it away.
    const first = await push('guard', [await head('master')], [docs, { path: 'guard.js', content: 'guard()\n' }])
    await push('guard', [first], [{ path: 'docs/b.md', content: 'B\n' }, { path: 'guard.js' }])
    const attack = await openFrom('guard')
    await merge(attack)
    expect(await listed()).toEqual([])
    expect((await ownNotes(attack))[0]?.body).toContain('git apply --3way')
    const second = await push('line', [await head('master')], [{ path: 'docs/c.md', content: 'C\n' }])
    await push('line', [second], [{ path: 'docs/d.md', content: 'D\n' }])
    await merge(await openFrom('line'))
    expect(await listed()).toMatchObject([{ state: 'opened', title: 'Backport to stable: Merge line' }])
    const made = (await listed())[0]?.source_branch ?? ''
    expect(await Promise.all(['docs/c.md', 'docs/d.md', 'guard.js'].map((path) => has(made, path)))).toEqual([
      ...[true, true, true],
    ])
  })

  test('a branch that is there already is not taken for its own', async () => {
    const { iid } = await world.open('Fix the hinge', { branch: 'hinge' })
    const branch = `backport/${iid}-to-stable`
    await push(branch, [await head('stable')], [evil])
    await merge(iid)
    await world.say(iid, 'And?')
    expect(await listed()).toEqual([])
    expect((await ownNotes(iid)).map(({ body }) => body)).toEqual([expect.stringContaining(`\`${branch}\``)])
    expect(await has(branch, 'src/evil.js')).toBe(true)
    // Nor does a merge request of it count as the backport.
    const theirs = await openFrom(branch, 'stable')
    await world.update(theirs, { state_event: 'close' })
    await world.service.repository.branches.delete({ id: world.project, branch })
    await world.say(iid, 'Once more, please')
    const [made, ...more] = (await listed()).filter((each) => each.iid !== theirs)
    expect([made?.author?.username, made?.labels, more]).toEqual(['bellhop', ['trusted'], []])
    expect(await has(branch, 'hinge.md')).toBe(true)
    expect(await has(branch, 'src/evil.js')).toBe(false)
  })

  test.each(['repository.commits.cherryPick', 'mergeRequests.create'])(
    'what is pushed to its branch just before %s does not stay open in its name',
    async (endpoint) => {
      const { iid } = await world.open('Fix the hinge', { branch: 'hinge' })
      const branch = `backport/${iid}-to-stable`
      world.before(endpoint, async () => push(branch, [await head(branch)], [evil]), { username: 'bellhop' })
      await merge(iid)
      await world.say(iid, 'And?')
      expect(await has(branch, 'src/evil.js')).toBe(true)
      expect((await listed()).filter(({ state }) => state === 'opened')).toEqual([])
      expect(await ownNotes(iid)).toHaveLength(1)
    },
  )

  test('a rule that asks who pushed does not trust what is pushed to its merge request later', async () => {
    const { iid } = await world.open('Fix the hinge', { branch: 'hinge' })
    await merge(iid)
    const [made] = await listed()
    expect(made).toMatchObject({ state: 'opened', labels: ['trusted'] })
    await world.service.mergeRequests.update({ ...world.ref(known(made?.iid)), labels: '' })
    await push(`backport/${iid}-to-stable`, [await head(`backport/${iid}-to-stable`)], [evil])
    await world.settle()
    expect((await listed())[0]).toMatchObject({ state: 'opened', labels: [] })
  })
})
