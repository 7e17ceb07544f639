// `bellhop sandbox`: a hosting service in one process, for development and tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { SandboxOptions } from '../../sandbox/start-sandbox.ts'
import { stopSignal } from '../stop-signal.ts'
import { UserError } from '../user-error.ts'

interface SandboxFlags {
  port: number
  rootToken: string
  host: string
  data?: string
}

/** Prints `sandbox: http://127.0.0.1:N` when ready; without `--data` everything lies in a temporary folder that goes with it. */
export function sandbox(): Command {
  return new Command('sandbox')
    .description('run a hosting service in one process, on real git repositories (a development tool)')
    .requiredOption('--root-token <token>', 'API token of root, the administrator (user id 1)')
    .option('--port <number>', 'port to listen on; 0 takes any that is free', port, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'keep everything in this folder, and go on from it; without it everything is gone at the end')
    .addHelpText(
      'after',
      '\nExample:\n  $ bellhop sandbox --port 3000 --root-token secret\n  $ curl -H "PRIVATE-TOKEN: secret" http://127.0.0.1:3000/api/v4/user\n  $ bellhop sandbox --port 3000 --root-token secret --data ./sandbox-data',
    )
    .action(run)
}

async function run({ data, ...flags }: SandboxFlags): Promise<void> {
  if (data === '') throw new UserError('--data needs the name of a folder.', { exitCode: 2 })
  if (data !== undefined) return serve({ ...flags, folder: data, keep: true })
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-sandbox-'))
  try {
    await serve({ ...flags, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Serves until it is told to stop, or cannot keep what it is told. */
async function serve(options: SandboxOptions): Promise<void> {
  const { startSandbox } = await import('../../sandbox/start-sandbox.ts')
  const service = await startSandbox(options).catch((error: unknown) => {
    throw new UserError(error instanceof Error ? error.message : String(error), { exitCode: 1, cause: error })
  })
  const stopped = stopSignal()
  process.stdout.write(`sandbox: ${service.url}\n`)
  const failure = await Promise.race([stopped.then(() => undefined), service.failed])
  await service.close().catch((error: unknown) => {
    throw failure ?? error
  })
  if (failure !== undefined) throw new UserError(failure.message, { exitCode: 1, cause: failure })
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new InvalidArgumentError('expected a port from 0 to 65535')
  return number
}
