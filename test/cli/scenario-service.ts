// A scenario in a sandbox, with every call that it serves written down: for the commands that only read.
import { readFile } from 'node:fs/promises'
import { endpointsByName } from '../../src/api/index.ts'
import { buildScenario } from '../../src/cli/scenario/build-scenario.ts'
import { readScenario } from '../../src/cli/scenario/scenario.ts'
import { createClient } from '../../src/client/create-client.ts'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { ownFolder } from './own-folder.ts'

export type ScenarioService = Awaited<ReturnType<typeof startScenario>>

/** Builds the scenario of a file, or of a text. */
export async function startScenario(
  source: { file: string } | { text: string },
  options: Pick<SandboxOptions, 'clock' | 'disableFailingHooks' | 'tier'> = {},
) {
  const called: string[] = []
  const sandbox = await startSandbox({
    rootToken: 'root-token',
    folder: ownFolder().folder,
    ...options,
    gate: async ({ endpoint, caller }) => {
      if (caller === 'bellhop') called.push(endpoint)
    },
  })
  const text = 'text' in source ? source.text : await readFile(source.file, 'utf8')
  const read = readScenario(text, 'scenario.yml')
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const built = await buildScenario(read.scenario, sandbox)
  /** The tokens of people by user name. */
  const tokens: Record<string, string> = Object.fromEntries(
    built.people.map(({ username, token }) => [username, token]),
  )
  return {
    ...built,
    sandbox,
    /** As root. */
    root: createClient({ baseUrl: sandbox.url, token: sandbox.token }),
    tokens,
    /** What a command needs to reach it as the bot. */
    environment: { BELLHOP_SERVICE_URL: sandbox.url, BELLHOP_SERVICE_TOKEN: tokens.bellhop ?? '' },
    /** Names of the endpoints that the bot called. */
    called,
    /** Those among them that are no GET. */
    writes: () => called.filter((name) => endpointsByName.get(name)?.method !== 'GET'),
    close: sandbox.close,
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
