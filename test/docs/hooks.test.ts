// The commands of docs/hooks.md, run word for word and in order on a company in a sandbox; and its table of errors.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEY, OLD_KEY, openReceiver, useCompany } from '../cli/hooks/hooks-world.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { bellhopHere } from '../cli/run-here.ts'
import { fencedCommands, readPage } from './pages.ts'

const page = readPage('hooks.md')
const commands = fencedCommands(page)

const company = useCompany()
let door: Awaited<ReturnType<typeof openReceiver>>
const { folder } = ownFolder()
const before = process.cwd()
beforeAll(async () => {
  door = await openReceiver([KEY, OLD_KEY])
  return () => door.close()
})

/** Runs a command that must stand on the page word for word. */
async function documented(command: string, other: Record<string, string> = {}) {
  expect(commands).toContain(command)
  const [name, ...args] = command.split(' ')
  expect(name).toBe('bellhop')
  return bellhopHere(args, { ...company.environment, BELLHOP_URL: door.url, BELLHOP_RULES: folder, ...other })
}

test('every command of the page does what the page says', async () => {
  const run: string[] = []
  const codeOf = async (command: string, other: Record<string, string> = {}) => {
    run.push(command)
    const { code, err } = await documented(command, other)
    return [code, err]
  }
  const old = { BELLHOP_HOOK_MASTER_KEY: OLD_KEY }
  const fine = [0, '']
  expect(await codeOf('bellhop hooks install hotel --dry-run', old)).toEqual(fine)
  expect(await company.hooksOf('hotel/app')).toEqual([])
  expect(await codeOf('bellhop hooks install hotel', old)).toEqual(fine)
  // There is no hotel/web here: the rest is done, and the exit code says that something failed.
  expect((await codeOf('bellhop hooks install hotel/app hotel/web --format json', old))[0]).toBe(1)
  const shared = { BELLHOP_SERVICE_TOKEN: 'root-token', BELLHOP_HOOK_SECRET: 'a-shared-secret-of-this-company' }
  expect(await codeOf('bellhop hooks install --group hotel', shared)).toEqual(fine)
  expect(await codeOf('bellhop hooks install --system', shared)).toEqual(fine)
  expect(await codeOf('bellhop hooks status hotel', old)).toEqual(fine)
  expect(await codeOf('bellhop hooks status hotel --format json', old)).toEqual(fine)
  expect(await codeOf('bellhop hooks rotate hotel', { BELLHOP_HOOK_MASTER_KEY: `${KEY},${OLD_KEY}` })).toEqual(fine)

  const machine = { BELLHOP_PORT: '0', BELLHOP_QUEUE_URL: `embedded:${join(folder, 'queue')}` }
  // The door checks secrets as Bellhop does, but has no /readyz.
  expect((await codeOf('bellhop doctor', machine))[0]).toBe(1)
  const { out } = await documented('bellhop doctor hotel', machine)
  run.push('bellhop doctor hotel')
  expect(out.split('\n').filter((line) => line.startsWith('fail'))).toEqual([expect.stringMatching(/^fail {2}ready/)])

  expect(await codeOf('bellhop hooks remove hotel --dry-run')).toEqual(fine)
  expect(await codeOf('bellhop hooks remove hotel')).toEqual(fine)
  expect(await company.hooksOf('hotel/app')).toEqual([])

  process.chdir(folder)
  try {
    expect(await codeOf('bellhop init --dependency-bots renovate-bot,dependabot --merge-on-request')).toEqual(fine)
    expect((await bellhopHere(['check'])).out).toBe('1 file without problems.\n')
  } finally {
    process.chdir(before)
  }
  expect(commands).toEqual(run)
})

test('the messages on the page are those of the commands', () => {
  const sources = ['hooks/targets', 'service/connect'].map((name) =>
    readFileSync(new URL(`../../src/cli/${name}.ts`, import.meta.url), 'utf8'),
  )
  const message = sources.join('\n')
  for (const words of [
    'Is BELLHOP_SERVICE_TOKEN right?',
    'Hooks are for Maintainers',
    'no project or group',
    'has no projects',
    'Is BELLHOP_SERVICE_URL right?',
    'BELLHOP_CA_FILE',
  ]) {
    expect(page).toContain(words)
    expect(message).toContain(words)
  }
})
