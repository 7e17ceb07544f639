// `bellhop demo`: the whole way of a delivery, told as it happens, on a sandbox of its own; exits 0 only if every story holds.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import pc from 'picocolors'
import { createNarrator } from '../demo/narrator.ts'
import { type SmallWorld, startSmallWorld } from '../demo/small-world.ts'
import { type Claim, demoRules, playStories } from '../demo/stories.ts'
import { createLog } from '../log.ts'
import { stopSignal } from '../stop-signal.ts'

interface DemoFlags {
  keep?: boolean
  queue?: string
}

/** Starts sandbox and bot on free ports of 127.0.0.1 in a temporary folder, which goes when it ends. */
export function demo(): Command {
  return new Command('demo')
    .description('watch deliveries become labelled, approved and merged merge requests')
    .option('--keep', 'leave both servers running at the end, and print their addresses and tokens')
    .option('--queue <url>', 'run on redis://… (or postgres://…) instead of the embedded queue')
    .action(run)
}

async function run({ keep, queue }: DemoFlags): Promise<void> {
  const stopped = stopSignal()
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-demo-'))
  const cleanUp: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const outcome = await Promise.race([
      perform({ folder, queue, onOpen: (close) => cleanUp.unshift(close) }),
      stopped.then(() => 'stopped' as const),
    ])
    if (outcome === 'stopped') process.exitCode = 130
    else {
      process.exitCode = report(outcome.claims)
      if (keep === true) {
        tellAddresses(outcome.world)
        await stopped
      }
    }
  } finally {
    for (const step of cleanUp) await step()
  }
}

interface Performance {
  folder: string
  queue: string | undefined
  onOpen: (close: () => Promise<void>) => void
}

async function perform({ folder, queue, onOpen }: Performance): Promise<{ world: SmallWorld; claims: Claim[] }> {
  const narrator = createNarrator((text) => process.stdout.write(text))
  let beforeAccept: (() => Promise<void>) | undefined
  narrator.title('A hosting service, a project, and Bellhop')
  const world = await startSmallWorld({
    folder,
    queueUrl: queue ?? `embedded:${join(folder, 'queue')}`,
    rules: demoRules,
    createLog: (secrets) => createLog({ level: 'info', secrets, write: narrator.hear }),
    onProgress: narrator.say,
    gate: async ({ endpoint }) => {
      if (endpoint !== 'mergeRequests.accept') return
      const action = beforeAccept
      beforeAccept = undefined
      await action?.()
    },
  })
  onOpen(world.close)
  const claims = await playStories({
    world,
    narrator,
    beforeNextAccept: (action) => {
      beforeAccept = action
    },
  })
  return { world, claims }
}

function report(claims: Claim[]): 0 | 1 {
  const broken = claims.filter((each) => !each.holds)
  const total = `${claims.length - broken.length} of ${claims.length} claims hold.`
  process.stdout.write(`\n${broken.length === 0 ? pc.green(total) : pc.red(total)}\n`)
  for (const { story, claim, found } of broken) process.stdout.write(`${pc.red('✗')} (${story}) ${claim}: found ${found}\n`)
  return broken.length === 0 ? 0 : 1
}

function tellAddresses(world: SmallWorld): void {
  process.stdout.write(`
Both servers are still running; Ctrl-C ends them.
  sandbox      ${world.sandbox.url}   PRIVATE-TOKEN of root: ${world.rootToken}
  bellhop      ${world.bellhop.url}   admin token: ${world.adminToken}
  try          BELLHOP_ADMIN_URL=${world.bellhop.url} BELLHOP_ADMIN_TOKEN=${world.adminToken} node bin/bellhop.cjs deliveries list
`)
}
