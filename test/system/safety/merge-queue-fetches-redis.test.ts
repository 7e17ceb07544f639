// Heads that git cannot fetch leave the queue and block nobody; with real git. On Redis only (backend-independent).
import { randomBytes } from 'node:crypto'
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from '../merge-queue/queue-world.ts'
import { known } from '../world.ts'

const megabyte = 2 ** 20

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url(), settings: { BELLHOP_MAX_REPOSITORY_SIZE: '1' } }))

  /** A green merge request whose commit has a symbolic link where git lets none be. */
  async function enterFaulty(queue: QueueWorld): Promise<{ iid: number }> {
    const { project, service, sandbox, people } = queue
    const sha = await sandbox.within(async ({ git }) => {
      const head = (await git.text(project, ['rev-parse', 'master'])).trim()
      const blob = (await git.text(project, ['hash-object', '-w', '--stdin'], { input: 'x' })).trim()
      const files = await git.text(project, ['ls-tree', 'master'])
      const tree = await git.text(project, ['mktree'], { input: `${files}120000 blob ${blob}\t.gitmodules\n` })
      return (await git.text(project, ['commit-tree', tree.trim(), '-p', head, '-m', 'Faulty'])).trim()
    })
    await service.repository.branches.create({ id: project, branch: 'faulty', ref: sha })
    const body = { source_branch: 'faulty', target_branch: 'master', title: 'Faulty' }
    const { iid } = (await queue.as(people.alice).mergeRequests.create({ id: project, ...body })).body
    await queue.pipeline(sha, 'faulty', 'success')
    await queue.settle()
    return { iid: known(iid) }
  }
  const large = () => ({ 'large.txt': randomBytes(1.2 * megabyte).toString('hex') })

  test('in front of others: each leaves with a note that says what to do, and the others land', async () => {
    const queue = await start()
    const [two, one] = [await queue.enter('two', large()), await queue.enter('one')]
    const faulty = await enterFaulty(queue)
    await queue.reportAll()
    expect([await queue.states(one, two, faulty), await queue.entries(), await queue.pausedBy()]).toEqual([
      ['merged', 'opened', 'opened'],
      [],
      undefined,
    ])
    expect((await queue.notes(two.iid)).join()).toMatch(/larger than.* Take large files out of its commits/)
    expect((await queue.notes(faulty.iid)).join()).toMatch(/faulty objects.* Make its commits anew/)
  })

  test('in a batch: those that can be fetched land together', async () => {
    const queue = await start({ queue: 'land: push\nbatch: { most: 3, wait: 1h }\nspeculate: 1' })
    const [one, two] = [await queue.enter('one'), await queue.enter('two', large())]
    const three = await queue.enter('three')
    await queue.after(60)
    await queue.reportAll()
    expect([await queue.states(one, two, three), await queue.entries()]).toEqual([['merged', 'opened', 'merged'], []])
  })

  test('a target that is too large pauses the queue, which removes nobody', async () => {
    const queue = await start()
    await queue.pushToTarget(large())
    const one = await queue.enter('one')
    expect([await queue.pausedBy(), await queue.entries()]).toEqual(['repository_not_fetched', [one.iid]])
  })
})
