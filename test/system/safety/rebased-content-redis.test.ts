// Consent survives a rebase by the service only for the same content, and a queue that rebases never waits for itself;
// with real git. On Redis only (backend-independent).
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from '../merge-queue/queue-world.ts'
import { known } from '../world.ts'

const onRequest = `version: 1
queues: [{ name: main, target: master, test: rebase, retries: 0 }]
rules: [{ name: queue on request, command: queue, then: { accept: { queue: main } } }]
`
const whenApproved = `version: 1
rules:
  - { name: keep up to date, if: { commits_behind: { at_least: 1 } }, then: { rebase: true } }
  - { name: merge what is approved, if: { approved_by: { any: [renovate-bot] } }, then: { accept: true } }
`

/** A commit writes a document and one file more, and a merge commit leaves that file out: a rebase drops the merge. */
async function openHiding(world: QueueWorld, path: string): Promise<{ iid: number; sha: string; branch: string }> {
  const { project, people, service, sandbox, clone } = world
  const docs = { 'docs/a.md': 'a' }
  const as = people.alice
  const first = await clone.push({ as, branch: 'first', files: { ...docs, [path]: 'evil' }, message: 'Add a.md' })
  const side = await clone.push({ as, branch: 'side', files: docs, message: 'Add a.md as well' })
  const args = ['commit-tree', `${side}^{tree}`, '-p', first, '-p', side, '-m', 'Merge the side']
  const sha = (await sandbox.within(({ git }) => git.text(project, args))).trim()
  const branch = 'documents'
  await service.repository.branches.create({ id: project, branch, ref: sha })
  const body = { source_branch: branch, target_branch: 'master', title: 'Write documents' }
  const { iid } = (await world.as(as).mergeRequests.create({ id: project, ...body })).body
  await world.settle()
  return { iid: known(iid), sha, branch }
}

async function reportOwn(world: QueueWorld, { iid, branch }: { iid: number; branch: string }): Promise<string> {
  const { sha } = await world.mergeRequest(iid)
  await world.pipeline(known(sha), branch, 'success')
  await world.settle()
  return known(sha)
}

const filesOf = async ({ service, ref }: QueueWorld, iid: number) =>
  known((await service.mergeRequests.changes(ref(iid))).body.changes)
    .map((each) => each?.new_path)
    .sort()

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  test('a request for the queue does not follow a rebase that brings back what a merge commit removed', async () => {
    const world = await start(onRequest)
    const opened = await openHiding(world, 'src/evil.js')
    await world.pushToTarget()
    await reportOwn(world, opened)
    expect(await filesOf(world, opened.iid)).toEqual(['docs/a.md'])
    await world.say(opened.iid, '@bellhop queue', world.people.renovate)
    expect(await reportOwn(world, opened)).not.toBe(opened.sha)
    expect(await filesOf(world, opened.iid)).toEqual(['docs/a.md', 'src/evil.js'])
    expect([await world.stateOf(opened.iid), await world.has('src/evil.js'), await world.entries()]).toEqual([
      'opened',
      false,
      [],
    ])
    expect((await world.notes(opened.iid)).join()).toMatch(/removed it: .*content.*Squash/s)
  })

  test('an approval does not either, until it is given again', async () => {
    const world = await start(whenApproved)
    const reviewer = world.as(world.people.renovate).mergeRequests
    const opened = await openHiding(world, 'src/evil.js')
    await reviewer.approve(world.ref(opened.iid))
    await world.pushToTarget()
    await world.settle()
    expect(await reportOwn(world, opened)).not.toBe(opened.sha)
    expect([await world.stateOf(opened.iid), await world.has('src/evil.js')]).toEqual(['opened', false])
    await reviewer.unapprove(world.ref(opened.iid))
    await world.settle()
    await reviewer.approve(world.ref(opened.iid))
    await world.settle()
    expect([await world.stateOf(opened.iid), await world.has('src/evil.js')]).toEqual(['merged', true])
  })

  test('it follows a rebase that changes nothing else', async () => {
    const world = await start(whenApproved)
    const opened = await world.open('Documents', { files: { 'docs/b.md': 'b' } })
    await world.as(world.people.renovate).mergeRequests.approve(world.ref(opened.iid))
    await world.pushToTarget()
    await world.settle()
    expect(await reportOwn(world, opened)).not.toBe(opened.sha)
    expect(await world.stateOf(opened.iid)).toBe('merged')
  })

  test('a push to the target during the rebase stalls nothing: the entry is rebased once more, and lands', async () => {
    const world = await start(onRequest)
    const opened = await world.open('One')
    await world.pushToTarget()
    await reportOwn(world, opened)
    const began = Date.now()
    // Just after the rebase, before the queue reads the target again.
    world.before('mergeRequests.rebase', async () => {
      world.before('repository.branches.get', () => world.pushToTarget({ 'more.txt': 'more' }), { username: 'bellhop' })
    })
    await world.say(opened.iid, '@bellhop queue', world.people.renovate)
    await reportOwn(world, opened)
    expect(await world.stateOf(opened.iid)).toBe('merged')
    expect(Date.now() - began).toBeLessThan(60_000)
  })
})
