// `bellhop sandbox`: a hosting service for development and tests.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { sayingWhenSlow } from '../../embedded-postgres/saying-when-slow.ts'
import { defaultTier, type Tier } from '../../sandbox/installation.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/start-sandbox.ts'
import { readText } from '../read-text.ts'
import type { ScenarioPerson } from '../scenario/build-scenario.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { argument, port } from '../settings/setting.ts'
import { UsageError, UserError } from '../user-error.ts'

interface SandboxFlags {
  port: number
  rootToken: string
  host: string
  data?: string
  scenario?: string
  tier: Tier
}

/** Prints `sandbox: http://127.0.0.1:N` when ready; without `--data` uses a temporary folder. */
export function sandbox(): Command {
  return new Command()
    .requiredOption('--root-token <token>', 'API token of root, the administrator (user id 1)')
    .option('--port <number>', 'port to listen on; if it is taken, and for 0, a free one', argument(port), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'keep the data in this folder; by default it is deleted at the end')
    .option(
      '--scenario <file>',
      'create the users, groups, projects and merge requests of this YAML file (demo: one that comes with Bellhop), and print the users’ tokens',
    )
    .addOption(
      new Option('--tier <tier>', 'answer as an installation of this tier')
        .choices(['free', 'premium'])
        .default(defaultTier),
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ bellhop sandbox --port 3000 --root-token secret\n  $ curl -H "PRIVATE-TOKEN: secret" http://127.0.0.1:3000/api/v4/user\n  $ bellhop sandbox --port 3000 --root-token secret --data ./sandbox-data\n  $ bellhop sandbox --port 3000 --root-token secret --scenario demo',
    )
    .action(run)
}

async function run({ data, scenario: file, ...flags }: SandboxFlags): Promise<void> {
  if (data === '') throw new UsageError('--data needs the name of a folder.')
  const scenario = file === undefined ? undefined : await scenarioOf(file)
  if (data !== undefined) return serve({ ...flags, folder: data, keep: true }, scenario)
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-sandbox-'))
  try {
    await serve({ ...flags, folder }, scenario)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Serves until a signal, or until data cannot be written. */
async function serve(options: SandboxOptions, scenario: Scenario | undefined): Promise<void> {
  const { startSandbox } = await import('../../sandbox/start-sandbox.ts')
  const { sandboxPage } = await import('../server/start-page.ts')
  const { service, stopped, people } = await sayingWhenSlow(
    () => process.stderr.write(`bellhop: Preparing the sandbox in ${options.folder}; this may take a few seconds.\n`),
    async (onSlowStart) => {
      const start = (port = options.port) => startSandbox({ ...options, port, startPage: sandboxPage, onSlowStart })
      const service = await start()
        .catch((error: unknown) => {
          if (!isTaken(error)) throw error
          process.stderr.write(`bellhop: The port ${options.port} is taken: a free one is used.\n`)
          return start(0)
        })
        .catch((error: unknown) => {
          throw new UserError(error instanceof Error ? error.message : String(error), { cause: error })
        })
      const stopped = stopSignal()
      return { service, stopped, people: scenario === undefined ? [] : await build(scenario, service) }
    },
  )
  const { botCommand } = await import('../scenario/build-scenario.ts')
  const lines = [
    `sandbox: ${service.url}`,
    ...people.map(({ username, token }) => `token of ${username}: ${token}`),
    ...(await botCommand(service, scenario, people)),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  const failure = await Promise.race([stopped.then(() => undefined), service.failed])
  await service.close().catch((error: unknown) => {
    throw failure ?? error
  })
  if (failure !== undefined) throw new UserError(failure.message, { cause: failure })
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

async function scenarioOf(named: string): Promise<Scenario> {
  const { readScenario } = await import('../scenario/scenario.ts')
  const file = named === 'demo' ? fileURLToPath(new URL('../../../scenarios/demo.yml', import.meta.url)) : named
  const scenario = readScenario(await readText(file), file)
  if (!scenario.ok) throw new UserError(scenario.problems.join('\n'))
  return scenario.scenario
}

/** Returns the people with new tokens; none for existing data, whose tokens were printed before. */
async function build(scenario: Scenario, service: Sandbox): Promise<Pick<ScenarioPerson, 'username' | 'token'>[]> {
  const { buildScenario, isNewWorld } = await import('../scenario/build-scenario.ts')
  if (!(await isNewWorld(service))) {
    process.stderr.write('bellhop: the data has users already: the scenario is skipped.\n')
    return []
  }
  try {
    const built = await buildScenario(scenario, service)
    return built.people.filter(({ username }) => username !== 'root')
  } catch (cause) {
    await service.close()
    throw new UserError(`The scenario failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
