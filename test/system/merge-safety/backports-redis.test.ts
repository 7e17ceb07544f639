// Backports with real git: what is merged comes to other branches, once. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: backport
    if: { state: merged, target_branch: master, labels: [backport] }
    then: { backport: { to: [stable, older], labels: [picked] } }
  - name: backport on request
    command: { word: backport, takes: { branch: ["stable", "old*"] } }
    then: { backport: { to: "{{ branch }}" } }
`

onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
    for (const branch of ['stable', 'older'])
      await world.service.repository.branches.create({ id: world.project, branch, ref: 'master' })
  })
  afterAll(() => world.end())

  const listed = async (target_branch: string) =>
    (await world.service.mergeRequests.list({ id: world.project, target_branch, state: 'all', scope: 'all' })).body
  const write = (branch: string, file_path: string, content: string) =>
    world.service.repository.commits.create({
      ...{ id: world.project, branch, commit_message: `Write ${file_path}` },
      actions: [{ action: 'create', file_path, content }],
    })
  const text = async (ref: string, file_path: string) =>
    (await world.service.repository.files.raw({ id: world.project, file_path, ref })).body
  const merge = async (iid: number) => {
    await world.update(iid, { add_labels: 'backport' })
    await world.service.mergeRequests.accept(world.ref(iid))
    await world.settle()
  }

  test('a change that conflicts gets one note, its branch goes, and the other branch has it', async () => {
    await write('older', 'lock.txt', 'another lock\n')
    const { iid } = await world.open('Add a lock', { branch: 'lock', files: { 'lock.txt': 'a lock\n' } })
    await merge(iid)
    await world.say(iid, 'And?')
    const { body: notes } = await world.service.mergeRequests.notes.list(world.ref(iid))
    const own = notes.filter(({ body }) => body?.includes('git cherry-pick') === true)
    expect(own).toHaveLength(1)
    expect(own[0]?.body).toMatch(
      /git switch -c backport\/\d+-to-older origin\/older\ngit cherry-pick -x -m 1 [0-9a-f]{40}\n/,
    )
    const { body: left } = await world.service.repository.branches.list({
      id: world.project,
      search: `backport/${iid}`,
    })
    expect(left.map(({ name }) => name)).toEqual([`backport/${iid}-to-stable`])
    expect((await listed('stable')).filter(({ state }) => state === 'opened')).toMatchObject([
      { title: 'Backport to stable: Add a lock', labels: ['picked'], assignee: { username: 'alice' } },
    ])
    expect(await text(`backport/${iid}-to-stable`, 'lock.txt')).toBe('a lock\n')
  })
  test('a command names the branch, and what no branch fits is answered with its form', async () => {
    const { iid } = await world.open('Add a key', { branch: 'key', files: { 'key.txt': 'a key\n' } })
    await world.service.mergeRequests.accept(world.ref(iid))
    await world.settle()
    await world.say(iid, '@bellhop backport master')
    const { body: notes } = await world.service.mergeRequests.notes.list(world.ref(iid))
    expect(notes.map(({ body }) => body)).toContainEqual(
      expect.stringContaining('`backport`: not done: usage: backport BRANCH, where BRANCH is stable or old'),
    )
    await world.say(iid, '@bellhop backport older')
    expect(await text(`backport/${iid}-to-older`, 'key.txt')).toBe('a key\n')
    expect((await listed('older')).map(({ title }) => title)).toEqual(['Backport to older: Add a key'])
  })
})
