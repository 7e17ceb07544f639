// `bellhop demo`: the whole way of a delivery, told as it happens, on a sandbox of its own; exits 0 only if every story holds.

import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { colours } from '../colours.ts'
import { createNarrator } from '../demo/narrator.ts'
import type { SmallWorld } from '../demo/small-world.ts'
import type { Claim } from '../demo/stories.ts'
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
  let world: SmallWorld | undefined
  try {
    const outcome = await Promise.race([
      perform(folder, queue, (opened) => {
        world = opened
      }),
      stopped.then(() => 'stopped' as const),
    ])
    process.exitCode = outcome === 'stopped' ? 130 : report(outcome)
    if (outcome !== 'stopped' && keep === true && world !== undefined) {
      tellAddresses(world)
      await stopped
    }
    // Stopped before the world stood: nothing in it is worth finishing.
    if (world === undefined) leaveAtOnce(folder)
    await world?.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Synchronous to the end, so that nothing of this process can write into the folder once it is gone. */
function leaveAtOnce(folder: string): never {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit()
}

async function perform(folder: string, queue: string | undefined, onOpen: (world: SmallWorld) => void): Promise<Claim[]> {
  const { startSmallWorld } = await import('../demo/small-world.ts')
  const { demoRules, playStories } = await import('../demo/stories.ts')
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
  onOpen(world)
  return playStories({
    world,
    narrator,
    beforeNextAccept: (action) => {
      beforeAccept = action
    },
  })
}

function report(claims: Claim[]): 0 | 1 {
  const broken = claims.filter((each) => !each.holds)
  const total = `${claims.length - broken.length} of ${claims.length} claims hold.`
  process.stdout.write(`\n${broken.length === 0 ? colours.green(total) : colours.red(total)}\n`)
  for (const { story, claim, found } of broken) process.stdout.write(`${colours.red('✗')} (${story}) ${claim}: found ${found}\n`)
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
