// Slow rule files in three projects at once: hooks are answered, others' rules act, and what Bellhop holds is taken
// back. On Redis only (backend-independent).
import { randomUUID } from 'node:crypto'
import { onRedis } from '../../servers/on-redis.ts'
import { commitsOf, startTestWorld, type TestWorld } from '../world.ts'

const noise = 'abcdefghijklm opq '.repeat(6000).slice(0, 100_000)
const rulesOf = (expressions: readonly string[], action: string) =>
  `version: 1\nrules:\n${expressions.map((each, index) => `  - name: r${index}\n    if: { description: { matches: ${JSON.stringify(each)} } }\n    then: ${action}\n`).join('')}`
// Eight alternatives of several thousand instructions each.
const exploit = rulesOf(
  [...'abcdefgh'].map((last) => `(?:[a-m].{0,900}x)?(?:[a-m].{0,900}y)?(?:[e-m].{0,900}z)?[!-/]${last}$`),
  '{ label: { add: never } }',
)
// The largest that a file may hold: each alone within its limits, all together far beyond the budget of an evaluation.
const allowed = (repeat: number, count: number) =>
  rulesOf(
    Array.from({ length: count }, (_, index) => `${index}?(?:[a-m].{0,${repeat}}x)?(?:[a-m].{0,${repeat}}y)?[!-/]$`),
    '{ label: { add: never } }',
  )
const fits = (repeat: number) => noise.slice(0, Math.floor(1_000_000 / (repeat * 4 + 30)))
const hostile = [
  { name: 'too-large', rules: exploit, description: noise },
  { name: 'large', rules: allowed(200, 12), description: fits(200) },
  { name: 'many', rules: allowed(5, 180), description: fits(5) },
]

const approving = `version: 1
rules:
  - name: greet
    if: { title: { matches: "^Hello" } }
    then: { label: { add: greeted } }
  - name: approve
    if: { target_branch: master, state: opened }
    then: { approve: true }
${rulesOf(
  Array.from({ length: 120 }, (_, index) => `${index}?(?:[a-m].{0,5}x)?(?:[a-m].{0,5}y)?[!-/]$`),
  '{ label: { add: never } }',
).slice('version: 1\nrules:\n'.length)}`

onRedis((queueUrl) => {
  let world: TestWorld
  const ids = new Map<string, number>()

  beforeAll(async () => {
    world = await startTestWorld({ rules: approving, queueUrl: queueUrl() })
    for (const each of hostile) ids.set(each.name, await makeProject(each.name, each.rules))
  })
  afterAll(() => world?.end())

  async function makeProject(path: string, rules: string): Promise<number> {
    const { service, people, bellhop, hookSecret } = world
    const namespace = (await service.groups.get({ id: 'hotel' })).body.id as number
    const { id = 0 } = (await service.projects.create({ name: path, path, namespace_id: namespace })).body
    const push = commitsOf(world, id)
    await push({
      as: people.renovate,
      branch: 'master',
      files: { 'README.md': '# It\n', '.bellhop.yml': rules },
      message: 'Begin',
    })
    for (const branch of ['one', 'two', 'three'])
      await push({ as: people.alice, branch, files: { [branch]: branch }, message: branch })
    await service.projects.hooks.create({
      id,
      url: `${bellhop.url}/hooks`,
      token: hookSecret,
      merge_requests_events: true,
    })
    return id
  }
  const openIn = ({ name, description }: (typeof hostile)[number], branch: string) =>
    world.as(world.people.alice).mergeRequests.create({
      id: ids.get(name) ?? 0,
      source_branch: branch,
      target_branch: 'master',
      title: branch,
      description,
    })
  const open = (branch: string, title: string, description = '') =>
    world.openMergeRequest({ branch, title, description, files: { [branch]: branch } })
  const decisionsIn = async (name: string) =>
    (
      await world.bellhop.journal.decisions.list({
        project: ids.get(name) ?? 0,
        limit: 10,
      })
    ).items

  const decidedIn = async (name: string) =>
    new Set((await decisionsIn(name)).map(({ mergeRequest }) => mergeRequest.iid)).size

  /** How one delivery is answered. */
  async function knock(): Promise<{ status: number; ms: number }> {
    const before = performance.now()
    const status = await world.deliver(JSON.stringify({ object_kind: 'moonrise', n: randomUUID() }))
    return { status, ms: performance.now() - before }
  }

  describe.sequential('three projects with hostile rule files', () => {
    test('keep nobody waiting: hooks are answered meanwhile, and the rules of others act', async () => {
      const branches = ['one', 'two', 'three']
      const attack = async () => {
        for (const branch of branches) await Promise.all(hostile.map((each) => openIn(each, branch)))
        const { iid } = await open('greeting', 'Hello')
        const greeted = async () => await world.labels(iid)
        await expect.poll(greeted, { interval: 500 }).toEqual(['greeted'])
        for (const name of ['large', 'many'])
          await expect.poll(() => decidedIn(name), { interval: 500 }).toBe(branches.length)
      }
      let isOver = false
      const attacked = attack().finally(() => {
        isOver = true
      })
      const answers: Awaited<ReturnType<typeof knock>>[] = []
      while (!isOver) answers.push(await knock())
      await attacked
      // `bench patterns` measures it. One uninterrupted evaluation would keep them waiting for a minute, also when idle.
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(30_000)
      // On a busy machine Redis may be late for some.
      expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(answers.length * 0.9)
      await world.settle()
    })
    test('get the limit that they exceed in the error', async () => {
      const refused = await world.bellhop.bot.ruleFiles.known(ids.get('too-large') ?? 0)
      expect(refused?.problems[0]).toMatch(
        /^\.bellhop\.yml:4:35: .*at most 1000 instructions when compiled, found one of about \d+; shorten repetitions/,
      )
      const decided = await decisionsIn('many')
      expect(decided.length).toBeGreaterThan(0)
      for (const { rules, calls } of decided) {
        expect(rules[0]?.conditions).toMatchObject({ condition: 'pattern matching', verdict: 'unknown' })
        expect(calls).toEqual([])
      }
      const page = await fetch(`${world.bellhop.url}/admin/api/decisions?project=${ids.get('many')}`, {
        headers: { authorization: `Bearer ${world.adminToken}` },
      })
      expect(await page.text()).toContain('steps for the patterns of all rules together')
    })
  })

  test('a description that takes patterns beyond their budget takes back the approval', async () => {
    const { iid } = await open('approved', 'Approve me')
    await world.settle()
    const approvers = async () => (await world.service.mergeRequests.approvals(world.ref(iid))).body.approved_by?.length
    expect(await approvers()).toBe(1)
    await world.as(world.people.alice).mergeRequests.update({ ...world.ref(iid), description: fits(5) })
    await world.settle()
    expect(await approvers()).toBe(0)
    const [decision] = await world.decisions(iid)
    expect(decision?.rules.map(({ verdict }) => verdict)).not.toContain('true')
    expect(decision?.againInMs).toBeUndefined()
  })
})
