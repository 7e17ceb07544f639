// `bellhop sandbox`: a hosting service in one process, for development and tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { stopSignal } from '../stop-signal.ts'
import { UserError } from '../user-error.ts'

interface SandboxFlags {
  port: number
  rootToken: string
  host: string
}

/** Prints `sandbox: http://127.0.0.1:N` when ready; its repositories live in a temporary folder that goes with it. */
export function sandbox(): Command {
  return new Command('sandbox')
    .description('run a hosting service in one process, on real git repositories (a development tool)')
    .requiredOption('--root-token <token>', 'API token of root, the administrator (user id 1)')
    .option('--port <number>', 'port to listen on; 0 takes any that is free', port, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addHelpText(
      'after',
      '\nExample:\n  $ bellhop sandbox --port 3000 --root-token secret\n  $ curl -H "PRIVATE-TOKEN: secret" http://127.0.0.1:3000/api/v4/user',
    )
    .action(run)
}

async function run({ port, rootToken, host }: SandboxFlags): Promise<void> {
  const { startSandbox } = await import('../../sandbox/start-sandbox.ts')
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-sandbox-'))
  try {
    const service = await startSandbox({ port, host, rootToken, folder }).catch((error: unknown) => {
      throw new UserError(error instanceof Error ? error.message : String(error), { exitCode: 1, cause: error })
    })
    const stopped = stopSignal()
    process.stdout.write(`sandbox: ${service.url}\n`)
    await stopped
    await service.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new InvalidArgumentError('expected a port from 0 to 65535')
  return number
}
