// `bellhop demo`: shows the way from delivery to merge on a sandbox; exits 0 only if every check passes.
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { defaultTier, type Tier } from '../../sandbox/installation.ts'
import { createNarrator } from '../demo/narrator.ts'
import type { SmallWorld } from '../demo/small-world.ts'
import type { StoryClaim } from '../demo/stories.ts'
import { createLog } from '../output/log.ts'
import { colours } from '../output/terminal-text.ts'
import { stopSignal } from '../server/stop-signal.ts'

interface DemoFlags {
  keep?: boolean
  queue?: string
  tier: Tier
}

/** Uses free ports of 127.0.0.1 and a temporary folder, removed at the end. */
export function demo(): Command {
  return new Command()
    .option('--keep', 'keep both servers running, and print their addresses and tokens')
    .option('--queue <url>', 'run on redis://… (or postgres://…) instead of the embedded queue')
    .addOption(
      new Option('--tier <tier>', 'play on a sandbox of this tier').choices(['free', 'premium']).default(defaultTier),
    )
    .action(run)
}

async function run({ keep, ...flags }: DemoFlags): Promise<void> {
  const stopped = stopSignal()
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-demo-'))
  let world: SmallWorld | undefined
  try {
    const outcome = await Promise.race([
      perform(folder, flags, (opened) => {
        world = opened
      }),
      stopped.then(() => 'stopped' as const),
    ])
    process.exitCode = outcome === 'stopped' ? 130 : report(outcome)
    if (outcome !== 'stopped' && keep === true && world !== undefined) {
      tellAddresses(world)
      await stopped
    }
    if (world === undefined) leaveAtOnce(folder)
    await world?.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Synchronous, so that nothing writes into the folder after its removal. */
function leaveAtOnce(folder: string): never {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit()
}

async function perform(
  folder: string,
  { queue, tier }: DemoFlags,
  onOpen: (world: SmallWorld) => void,
): Promise<StoryClaim[]> {
  const { startSmallWorld } = await import('../demo/small-world.ts')
  const { demoRules, playStories } = await import('../demo/stories.ts')
  const narrator = createNarrator((text) => process.stdout.write(text))
  const beforeAccept: (() => Promise<void>)[] = []
  narrator.title('A hosting service, a project, and Bellhop')
  const world = await startSmallWorld({
    folder,
    queueUrl: queue ?? `embedded:${join(folder, 'queue')}`,
    rules: demoRules,
    sandbox: { tier },
    createLog: (secrets) => createLog({ level: 'info', secrets, write: narrator.hear }),
    onProgress: narrator.say,
    gate: async ({ endpoint }) => {
      if (endpoint === 'mergeRequests.accept') await beforeAccept.shift()?.()
    },
  })
  onOpen(world)
  return playStories({ world, narrator, beforeAccept, folder: join(folder, 'run') })
}

function report(claims: StoryClaim[]): 0 | 1 {
  const broken = claims.filter((each) => !each.passed)
  const total = `${claims.length - broken.length} of ${claims.length} checks passed.`
  process.stdout.write(`\n${broken.length === 0 ? colours.green(total) : colours.red(total)}\n`)
  for (const { story, claim, found } of broken)
    process.stdout.write(`${colours.red('✗')} (${story}) ${claim}: found ${found}\n`)
  return broken.length === 0 ? 0 : 1
}

function tellAddresses(world: SmallWorld): void {
  process.stdout.write(`
Both servers keep running; Ctrl-C stops them.
  sandbox      ${world.sandbox.url}   PRIVATE-TOKEN of root: ${world.sandbox.token}
  bellhop      ${world.bellhop.url}   admin token: ${world.adminToken}
  try          BELLHOP_ADMIN_URL=${world.bellhop.url} BELLHOP_ADMIN_TOKEN=${world.adminToken} node bin/bellhop.cjs deliveries list
`)
}
