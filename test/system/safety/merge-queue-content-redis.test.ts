// In projects without merge commits, what lands is what the service shows of a merge request, whatever its commits are;
// with real git. On Redis only (backend-independent).
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from '../merge-queue/queue-world.ts'
import { known } from '../world.ts'

const docsOnly = '{ pipeline: success, changed_files: { all: "docs/**" } }'
const rulesOfAttacker = 'version: 1\nrules: [{ name: all, if: { state: opened }, then: { accept: true } }]\n'

/** A commit writes a document and one file more, and a merge commit leaves that file as the target has it. */
async function openEvilMerge(queue: QueueWorld, path: string, content: string) {
  const { project, people, service, sandbox, clone } = queue
  const docs = { 'docs/a.md': 'a' }
  const as = people.alice
  const first = await clone.push({ as, branch: 'first', files: { ...docs, [path]: content }, message: 'Add a.md' })
  const side = await clone.push({ as, branch: 'side', files: docs, message: 'Add a.md as well' })
  const merge = await sandbox.within(({ git }) =>
    git.text(project, ['commit-tree', `${side}^{tree}`, '-p', first, '-p', side, '-m', 'Merge the side']),
  )
  await service.repository.branches.create({ id: project, branch: 'evil', ref: merge.trim() })
  const body = { source_branch: 'evil', target_branch: 'master', title: 'Write documents' }
  const { iid } = (await queue.as(people.alice).mergeRequests.create({ id: project, ...body })).body
  await queue.pipeline(merge.trim(), 'evil', 'success')
  await queue.settle()
  return known(iid)
}

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  async function startLinear(project: object): Promise<QueueWorld> {
    const queue = await start({ queue: 'land: push', when: docsOnly })
    const { name } = (await queue.service.projects.get({ id: queue.project })).body
    await queue.service.projects.update({ id: queue.project, name: known(name), ...project })
    return queue
  }
  const textOf = async ({ service, project }: QueueWorld, file_path: string) =>
    (await service.repository.files.raw({ id: project, file_path, ref: 'master' })).body

  test('what a merge commit takes back does not land: the entry leaves, and its note says what to do', async () => {
    const queue = await startLinear({ merge_method: 'ff', squash_option: 'never' })
    const iid = await openEvilMerge(queue, 'src/evil.js', 'evil')
    const two = await queue.enter('two', { 'docs/b.md': 'b' })
    await queue.reportAll()
    expect([await queue.has('src/evil.js'), await queue.has('docs/a.md'), await queue.has('docs/b.md')]).toEqual([
      false,
      false,
      true,
    ])
    expect([await queue.stateOf(iid), await queue.stateOf(two.iid), await queue.entries()]).toEqual([
      'opened',
      'merged',
      [],
    ])
    expect((await queue.notes(iid)).join()).toMatch(/removed it: .*merge commits change something.*[Ss]quash or rebase/)
  })

  test('nor do rules: where the project squashes, the change that was shown lands as one commit', async () => {
    const queue = await startLinear({ merge_method: 'rebase_merge' })
    const rules = await textOf(queue, '.bellhop.yml')
    const iid = await openEvilMerge(queue, '.bellhop.yml', rulesOfAttacker)
    await queue.reportAll()
    expect([await textOf(queue, '.bellhop.yml'), await queue.has('docs/a.md')]).toEqual([rules, true])
    expect([await queue.stateOf(iid), await queue.pausedBy()]).toEqual(['closed', undefined])
    const { body } = await queue.service.repository.commits.list({ id: queue.project, ref_name: 'master' })
    // The parents of a merge commit are listed by their dates, and those may be of one second.
    expect(body.map(({ title }) => title).sort()).toEqual([
      'Begin, with the rules of Bellhop',
      expect.stringMatching(`^Merge !${iid} `),
      'Write documents',
    ])
  })

  test('a fix is not taken back by a branch on top of it that shows a document: they do not land together', async () => {
    const queue = await start(`version: 1
queues: [{ name: main, target: master, land: push, batch: { most: 2 }, speculate: 1 }]
rules:
  - { name: documents, if: { pipeline: success, changed_files: { all: "docs/**" } }, then: { accept: { queue: main } } }
  - { name: fixes, if: { pipeline: success, source_branch: fix }, then: { accept: { queue: main } } }
`)
    const { clone, people, project } = queue
    // The others wait for it together.
    await queue.enter('first', { 'docs/first.md': 'first' })
    const fix = await queue.enter('fix', { 'README.md': 'fixed' })
    const files = { 'README.md': '# App\n', 'docs/a.md': 'a' }
    const sha = await clone.push({ as: people.alice, branch: 'top', from: 'fix', files, message: 'Write a document' })
    const body = { source_branch: 'top', target_branch: 'master', title: 'Write a document' }
    const { iid } = (await queue.as(people.alice).mergeRequests.create({ id: project, ...body })).body
    await queue.pipeline(sha, 'top', 'success')
    await queue.settle()
    await queue.report(1, 'success')
    const [next = 0] = await queue.numbers()
    await queue.report(next, 'success')
    // It is tested next, on a target with which the service shows what it takes back.
    expect([await textOf(queue, 'README.md'), await queue.stateOf(fix.iid), await queue.stateOf(known(iid))]).toEqual([
      'fixed',
      'merged',
      'opened',
    ])
  })
})
