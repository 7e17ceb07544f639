// The story of the merge queue: two merge requests are green apart and red together, without a queue and with one.
import { scriptPipelines } from '../../sandbox/pipelines/scripted-ci.ts'
import type { createNarrator } from './narrator.ts'
import type { SmallWorld } from './small-world.ts'

/** What the stories play in. */
export interface Stage {
  world: SmallWorld
  narrator: ReturnType<typeof createNarrator>
  /** Each runs once, just before the service handles an accept. */
  beforeAccept: (() => Promise<void>)[]
  /** For what a story stores, removed at the end. */
  folder: string
}

export type Check = (claim: string, found: unknown, expected: unknown) => void

/** Two files: a commit that has both fails. */
type Pair = readonly [string, string]

export async function playQueueStory({ world, narrator }: Stage, check: Check): Promise<void> {
  const stateOf = async (iid: number) => (await world.mergeRequest(iid)).state
  await breakTogether(world, ['rename.txt', 'old-name.txt'])
  const apart = await openPair(world, ['rename.txt', 'old-name.txt'], 'ship')
  narrator.say(`alice opened !${apart[0]} and !${apart[1]}; the pipeline of each is green`)
  const states = await Promise.all(apart.map(stateOf))
  check('without a queue both are merged', states, ['merged', 'merged'])
  const broken = await pipelineOf(world, 'master')
  narrator.say(`without a queue: the pipeline of master is ${broken}`)
  check('and the target is red', broken, 'failed')

  await breakTogether(world, ['metres.txt', 'feet.txt'])
  const [first, second] = await openPair(world, ['metres.txt', 'feet.txt'], 'queue')
  narrator.say(`alice opened !${first} and !${second}; each is green, and they enter the merge queue`)
  check('the queue merges the first one', await stateOf(first), 'merged')
  check('and stops the second one', await stateOf(second), 'opened')
  check('the target is green', await pipelineOf(world, 'master'), 'success')
  const { body: notes } = await world.service.mergeRequests.notes.list({ ...world.ref(second), per_page: 100 })
  const why = notes.find(({ body }) => body?.startsWith('The merge queue'))?.body?.split('\n')[0] ?? ''
  check('its note says why', why.includes('its pipeline on top of the merge requests before it failed'), true)
  narrator.say(`!${second}: ${why}`)
}

/** The sandbox's CI: a commit with both files is red, any other is green. */
async function breakTogether({ sandbox, project }: SmallWorld, files: Pair): Promise<void> {
  const script = { branches: '*', kind: 'branch', takes: 0, ends: ['success'], breaks_with: [...files] } as const
  await sandbox.within(async (inside) => scriptPipelines(inside, project, [script]))
}

/** Both with a green pipeline of their own, then both with the label that merges them. */
async function openPair(world: SmallWorld, files: Pair, label: string): Promise<[number, number]> {
  const { alice } = world.people
  const open = async (file: string) => {
    const more = { branch: file.replace('.txt', ''), title: file, files: { [file]: file } }
    return (await world.openMergeRequest({ as: alice, ...more })).iid
  }
  const pair: [number, number] = [await open(files[0]), await open(files[1])]
  await world.settle()
  for (const iid of pair) await world.as(alice).mergeRequests.update({ ...world.ref(iid), add_labels: label })
  await world.settle()
  return pair
}

/** The state of the newest pipeline of a branch. */
async function pipelineOf({ service, project }: SmallWorld, ref: string): Promise<string | undefined> {
  return (await service.repository.pipelines.list({ id: project, ref, per_page: 1 })).body[0]?.status
}
