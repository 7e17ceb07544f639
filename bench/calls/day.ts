// A project's day, the same each time: people and a bot open, push to, discuss and label merge requests; pipelines run.
import { createRandom, type Random } from '../../soak/random.ts'
import type { SmallWorld } from '../../src/cli/demo/small-world.ts'

/** So many merge requests change before the bot settles, none twice: a day would not evaluate its events together. */
const atOnce = 8
const openAtOnce = 24
const labels = ['bug', 'dependencies', 'hold', 'documentation', 'security', 'ready', 'needs review', 'backport::1.2']
const ends = ['success', 'success', 'failed'] as const
const folders = ['src', 'docs', 'test', 'src/billing', '.gitlab']

type World = Pick<
  SmallWorld,
  'sandbox' | 'people' | 'project' | 'service' | 'as' | 'openMergeRequest' | 'pipeline' | 'clone' | 'settle'
>

/** Goes on until the sandbox has sent so many deliveries; how many merge requests were opened. */
export async function liveThroughADay(
  world: World,
  deliveries: number,
  { seed, say }: { seed: number; say: (sentence: string) => void },
): Promise<number> {
  const { next, pick: one } = createRandom(seed)
  const running = new Set<string>()
  let opened = 0
  await formTeam(world)
  while (world.sandbox.deliveries().length < deliveries) {
    const all = await world.service
      .pages(world.service.mergeRequests.list, { id: world.project, state: 'opened' }, { maxPages: 5 })
      .collect()
    const open = all.items.flatMap(({ iid, sha, source_branch: branch }) =>
      iid && sha && branch ? [{ iid, sha, branch }] : [],
    )
    while (open.length < openAtOnce) {
      opened += 1
      open.push(await begin(world, opened, one))
    }
    const turn = [...open].sort(() => next() - 0.5).slice(0, atOnce)
    for (const each of turn) await happen(world, each, { one, running })
    await world.settle()
    say(`${world.sandbox.deliveries().length} of ${deliveries} deliveries`)
  }
  return opened
}

/** The groups that recipes name, with people who may review. */
async function formTeam({ service, people }: World): Promise<void> {
  const team = (await service.groups.create({ name: 'Team', path: 'team' })).body.id
  for (const path of ['backend', 'security', 'release']) {
    const { id = 0 } = (await service.groups.create({ name: path, path, ...(team && { parent_id: team }) })).body
    for (const { id: user_id } of [people.alice, people.renovate])
      await service.groups.members.add({ id, user_id, access_level: 30 })
  }
}

interface Open {
  iid: number
  sha: string
  branch: string
}
type Draw = Random['pick']

async function begin(world: World, n: number, one: Draw): Promise<Open> {
  const byBot = n % 3 === 0
  const branch = byBot ? `renovate/package-${n}` : `work-${n}`
  const files = { [`${one(folders)}/file-${n}.${one(['ts', 'md'])}`]: `${n}\n` }
  const as = byBot ? world.people.renovate : world.people.alice
  const title = one(['Mend the door', 'Draft: a new door', 'Revert "A door"', 'Update left-pad'])
  return { ...(await world.openMergeRequest({ as, branch, title: `${title} ${n}`, files })), branch }
}

/** What happens most often comes most often. */
async function happen(
  world: World,
  { iid, sha, branch }: Open,
  { one, running }: { one: Draw; running: Set<string> },
): Promise<void> {
  const alice = world.as(world.people.alice)
  const at = { id: world.project, merge_request_iid: iid }
  const what = one(['pipeline', 'pipeline', 'pipeline', 'comment', 'comment', 'label', 'title', 'push'] as const)
  if (what === 'pipeline') {
    // What runs cannot begin once more.
    const state = one(running.delete(sha) ? ends : (['running', ...ends] as const))
    if (state === 'running') running.add(sha)
    await world.pipeline(sha, branch, state)
  }
  if (what === 'comment')
    await alice.mergeRequests.notes.create({ ...at, body: one(['Nice.', 'Why so?', 'Please mend the test.']) })
  if (what === 'label') await alice.mergeRequests.update({ ...at, labels: one(labels) })
  if (what === 'title')
    await alice.mergeRequests.update({ ...at, description: `As of ${sha.slice(0, 8)} ${one(labels)}` })
  if (what === 'push')
    await world.clone.push({ as: world.people.alice, branch, files: { 'more.txt': `${sha}\n` }, message: 'More of it' })
}
