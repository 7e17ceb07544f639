// docs/sandbox-for-bots.md: its commands run as they stand, with the programs from npm and Debian, on a sandbox.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { verbsOf } from '../sandbox/sandbox-world.ts'
import { fencedCommands, readPage } from './pages.ts'

const page = readPage('sandbox-for-bots.md')
const here = '127.0.0.1:3000'
const [start = '', ...commands] = fencedCommands(page)
/** Kept between runs: an install takes half a minute. */
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/bellhop-bots')
const run = promisify(execFile)

/** The files that the page shows, by name. */
const files = [...page.matchAll(/`([\w.]+)`:\n\n```\w+\n(.*?)^```/gms)].map(([, name = '', text = '']) => ({
  name,
  text,
}))

/** Without what a CI says of itself. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:CI|GITLAB|GITHUB|DANGER)(?:_|$)/.test(name)),
)

async function shell(cwd: string, command: string): Promise<string> {
  const env = { ...environment, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1', GIT_TERMINAL_PROMPT: '0' }
  const { stdout, stderr } = await run('bash', ['-ec', command], { cwd, env, timeout: 120_000 })
  return stdout + stderr
}

/** Installs once what a command names; false when the registry is not reachable. */
async function install(command: string, folder: string): Promise<boolean> {
  const names = command.replace('npm install ', '')
  const at = join(cache, createHash('sha1').update(names).digest('hex'))
  if (!existsSync(join(at, 'done'))) {
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'package.json'), '{ "private": true }')
    const options = '--no-audit --no-fund --loglevel=error --fetch-retries=0 --ignore-scripts'
    const failure = await shell(at, `npm install ${options} ${names}`).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (failure !== undefined && !/E(?:NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|AI_AGAIN)|network/i.test(failure))
      throw new Error(failure)
    if (failure !== undefined) return false
    await writeFile(join(at, 'done'), '')
  }
  for (const name of ['node_modules', 'package.json']) await symlink(join(at, name), join(folder, name))
  return true
}

/** Debian's Python has python-gitlab where it is installed; another Python first on the PATH may not. */
async function pythonWithGitlab(): Promise<string | undefined> {
  for (const python of ['/usr/bin/python3', 'python3'])
    if (await run(python, ['-c', 'import gitlab']).then(...([() => true, () => false] as const))) return python
  return undefined
}

test('Danger, semantic-release and python-gitlab do what the page says', async (context) => {
  expect(start).toBe('node bin/bellhop.cjs sandbox --port 3000 --root-token secret --tier free')
  const { folder } = ownFolder()
  const sandbox = await startSandbox({ rootToken: 'secret', folder: join(folder, 'data'), tier: 'free' })
  onTestFinished(() => sandbox.close())
  const work = join(folder, 'work')
  await mkdir(work)
  const replaced = (text: string) => text.replaceAll(here, new URL(sandbox.url).host)
  for (const { name, text } of files) await writeFile(join(work, name), replaced(text))
  const python = await pythonWithGitlab()
  const skipped: string[] = []
  let at = work
  for (const command of commands) {
    const needsNpm = /npx|npm/.test(command)
    if (command.startsWith('cd ')) at = join(work, command.slice('cd '.length))
    else if (command.startsWith('npm install')) {
      if (!(await install(command, work))) skipped.push('the registry of npm is not reachable')
    } else if (command.startsWith('python3 ')) {
      if (python === undefined) skipped.push('python3-gitlab is not installed')
      else expect(await shell(work, command.replace('python3', python))).toBe("['feat: say more']\n")
    } else if (!needsNpm || skipped.length === 0) await shell(at, replaced(command))
  }
  const { get } = verbsOf(sandbox.url, 'secret')
  const mr = '/projects/root%2Fapp/merge_requests/1'
  expect(await get(mr)).toMatchObject({ state: 'merged' })
  if (!skipped.includes('the registry of npm is not reachable')) {
    const notes = (await get(`${mr}/notes`)).map(({ body }: { body: string }) => body)
    expect(notes.filter((body: string) => body.includes('There is no changelog.'))).toHaveLength(1)
    expect(notes.filter((body: string) => body.includes('Say it in one line.'))).toHaveLength(1)
    expect(notes.filter((body: string) => body.includes('included in version 1.0.0'))).toHaveLength(1)
    const { assets } = await get('/projects/root%2Fapp/releases/v1.0.0')
    const asset = await fetch(assets.links[0].url, { headers: { 'PRIVATE-TOKEN': 'secret' } })
    expect(await asset.text()).toBe('hello')
  }
  if (skipped.length === 0) return
  process.stdout.write(`docs/sandbox-for-bots.md: a part was not run: ${skipped.join('; ')}\n`)
  context.skip(skipped.join('; '))
})
