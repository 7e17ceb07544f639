// An author moves the branch back and forth between two reads: what was read of another version neither approves nor
// merges. On Redis only (backend-independent).
import { onRedis } from '../../servers/on-redis.ts'
import { startTestWorld, type TestWorld } from '../world.ts'
import { type SwappingRelay, startSwappingRelay } from './swapping-relay.ts'

const rules = `
version: 1
rules:
  - name: documentation
    if: { source_branch: { glob: "docs/*" }, changed_files: { all: "docs/**" } }
    then: { approve: true, accept: { pipeline: none } }
  - name: documentation by its commits
    if: { source_branch: { glob: "commits/*" }, commit_titles: { all: { matches: "^docs: " } } }
    then: { approve: true, accept: { pipeline: none } }
  - name: label documentation on a comment
    on: note.create
    if: { source_branch: { glob: "noted/*" }, changed_files: { all: "docs/**" } }
    then: { label: { add: documentation } }
  - name: whatever alice writes
    if: { source_branch: { glob: "own/*" }, author: alice }
    then: { approve: true, accept: { pipeline: none } }
`
interface Commit {
  message: string
  files: Record<string, string>
}
interface Attack {
  branch: string
  /** What the merge request has for good. */
  hostile: Commit
  /** What it has while the source is read. */
  benign: Commit
  source: 'changes' | 'commits'
}

const page = (name: string): Commit => ({ message: 'docs: add a page', files: { [`docs/${name}.md`]: 'page' } })
const code = (name: string): Commit => ({ message: 'feat: add code', files: { [`src/${name}.ts`]: 'code' } })
const ownRules: Commit = { message: 'Change the rules', files: { '.bellhop.yml': 'version: 1\nrules: []\n' } }

onRedis((queueUrl) => {
  let world: TestWorld
  let relay: SwappingRelay
  beforeAll(async () => {
    const start = async (sandbox: string) => {
      relay = await startSwappingRelay(sandbox)
      return relay.url
    }
    world = await startTestWorld({ rules, relay: start, queueUrl: queueUrl() })
  })
  afterAll(async () => {
    await world?.end()
    relay?.close()
  })

  const alice = () => world.as(world.people.alice)
  const commit = async (branch: string, { message, files }: Commit, start_branch: string): Promise<string> => {
    const actions = Object.entries(files).map(([file_path, content]) => {
      const action = file_path === '.bellhop.yml' ? ('update' as const) : ('create' as const)
      return { action, file_path, content }
    })
    const made = await alice().repository.commits.create({
      id: world.project,
      branch,
      start_branch,
      commit_message: message,
      actions,
    })
    return made.body.id ?? ''
  }
  /** The branch is really another one in the repository, as after a forced push. */
  const move = async (branch: string, ref: string): Promise<void> => {
    await alice().repository.branches.delete({ id: world.project, branch })
    await alice().repository.branches.create({ id: world.project, branch, ref })
  }
  const open = async (source_branch: string): Promise<number> => {
    const made = await alice().mergeRequests.create({
      ...{ id: world.project, source_branch, target_branch: 'master' },
      title: `Merge ${source_branch}`,
    })
    return made.body.iid ?? 0
  }
  const retarget = (iid: number, target_branch: string) =>
    alice().mergeRequests.update({ ...world.ref(iid), target_branch })
  const pathsOf = { changes: '(?:changes|diffs)', commits: 'commits' }
  const ofSource = (iid: number, source: Attack['source']) => (path: string) =>
    new RegExp(`/merge_requests/${iid}/${pathsOf[source]}(?:\\?|$)`).test(path)

  const applied = (iid: number) =>
    world.sandbox
      .calls()
      .filter(
        ({ endpoint, applied, params }) =>
          applied && params.merge_request_iid === iid && /\.(?:approve|accept)$/.test(endpoint),
      )
  const expectUntouched = async (iid: number) => {
    expect(applied(iid)).toEqual([])
    expect((await world.mergeRequest(iid)).state).toBe('opened')
  }
  const expectMerged = async (iid: number, sha: string) => {
    expect(applied(iid).map(({ endpoint, params }) => [endpoint, params.sha])).toEqual([
      ['mergeRequests.approve', sha],
      ['mergeRequests.accept', sha],
    ])
    expect((await world.mergeRequest(iid)).state).toBe('merged')
  }
  /** Evaluates while the state is swapped, until a decision says why it does nothing; and once more afterwards. */
  const endureSwaps = async (iid: number, reason: string) => {
    const { mergeRequests, ruleChanges } = world.bellhop.bot.queues
    // Notes on changed rules read the changes as well: swapped by each other, they would have no end.
    await ruleChanges.pause()
    await mergeRequests.resume()
    const said = async () => JSON.stringify((await world.decisions(iid)).map((each) => each.rules))
    await expect.poll(async () => applied(iid).length > 0 || (await said()).includes(reason)).toBe(true)
    await relay.stop()
    await ruleChanges.resume()
    await world.settle()
    await expectUntouched(iid)
  }

  test.each<[string, Attack]>([
    ['changed files', { branch: 'docs/moved', hostile: code('moved'), benign: page('moved'), source: 'changes' }],
    ['commits', { branch: 'commits/moved', hostile: code('commits'), benign: page('commits'), source: 'commits' }],
    [
      'changed files that hide a rule file',
      { branch: 'own/moved', hostile: ownRules, benign: page('own'), source: 'changes' },
    ],
  ])(
    '%s of another head neither approve nor merge; once they are of the head, they do',
    async (_what, { branch, hostile, benign, source }) => {
      const head = await commit(branch, hostile, 'master')
      const other = await commit(`${branch}-other`, benign, 'master')
      await world.bellhop.bot.queues.mergeRequests.pause()
      const iid = await open(branch)
      relay.swap({ at: ofSource(iid, source), there: () => move(branch, other), back: () => move(branch, head) })
      await endureSwaps(iid, 'of another head commit')
      await move(branch, other)
      await world.settle()
      await expectMerged(iid, other)
    },
  )

  test('an event is evaluated once the branch rests, though it came while the branch moved', async () => {
    const branch = 'noted/moved'
    const head = await commit(branch, page('noted'), 'master')
    const other = await commit(`${branch}-other`, code('noted'), 'master')
    // Before the first evaluation: changes of a version that was read are not read again.
    await world.bellhop.bot.queues.mergeRequests.pause()
    const iid = await open(branch)
    await alice().mergeRequests.notes.create({ ...world.ref(iid), body: 'Please look at it.' })
    relay.swap({ at: ofSource(iid, 'changes'), there: () => move(branch, other), back: () => move(branch, head) })
    await endureSwaps(iid, 'of another head commit')
    // The next evaluation may be further away than `settle` waits for.
    const labels = async () => await world.labels(iid)
    await expect.poll(labels).toEqual(['documentation'])
  })

  test('changed files against another target branch neither approve nor merge', async () => {
    const branch = 'docs/retargeted'
    await commit('side', code('side'), 'master')
    await commit(branch, page('retargeted'), 'side')
    await world.bellhop.bot.queues.mergeRequests.pause()
    const iid = await open(branch)
    relay.swap({
      at: ofSource(iid, 'changes'),
      there: () => retarget(iid, 'side'),
      back: () => retarget(iid, 'master'),
    })
    await endureSwaps(iid, 'of another target branch')
    const honest = await commit('honest', page('honest'), 'master')
    await move(branch, honest)
    await world.settle()
    await expectMerged(iid, honest)
  })
})
