// A scenario in a sandbox, with every call that it serves written down: for the commands that only read.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { endpointsByName } from '../../src/api/index.ts'
import { buildScenario } from '../../src/cli/scenario/build-scenario.ts'
import { readScenario } from '../../src/cli/scenario/scenario.ts'
import { type Client, createClient } from '../../src/client/create-client.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts'

export interface ScenarioService extends Awaited<ReturnType<typeof buildScenario>> {
  sandbox: Sandbox
  /** As root. */
  root: Client
  /** By user name. */
  tokens: Record<string, string>
  /** What a command needs to reach it as the bot. */
  environment: Record<string, string>
  /** Names of the endpoints that the bot called. */
  called: string[]
  /** Those among them that are no GET. */
  writes(): string[]
  close(): Promise<void>
}

/** Builds the scenario of a file, or of a text. */
export async function startScenario(
  source: { file: string } | { text: string },
  options: Pick<SandboxOptions, 'clock' | 'disableFailingHooks' | 'tier'> = {},
): Promise<ScenarioService> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-scenario-'))
  const called: string[] = []
  const sandbox = await startSandbox({
    rootToken: 'root-token',
    folder,
    ...options,
    gate: async ({ endpoint, caller }) => {
      if (caller === 'bellhop') called.push(endpoint)
    },
  })
  const text = 'text' in source ? source.text : await readFile(source.file, 'utf8')
  const read = readScenario(text, 'scenario.yml')
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const built = await buildScenario(read.scenario, sandbox)
  const tokens = Object.fromEntries(built.people.map(({ username, token }) => [username, token]))
  return {
    ...built,
    sandbox,
    root: createClient({ baseUrl: sandbox.url, token: sandbox.token }),
    tokens,
    environment: { BELLHOP_SERVICE_URL: sandbox.url, BELLHOP_SERVICE_TOKEN: tokens.bellhop ?? '' },
    called,
    writes: () => called.filter((name) => endpointsByName.get(name)?.method !== 'GET'),
    async close() {
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One for all tests of a file or a `describe`: it is there when the first begins. */
export function useScenario(...given: Parameters<typeof startScenario>): ScenarioService {
  const service = {} as ScenarioService
  beforeAll(async () => {
    Object.assign(service, await startScenario(...given))
    return () => service.close()
  })
  return service
}
