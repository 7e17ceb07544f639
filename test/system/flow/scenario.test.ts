// The README's page about the sandbox, command by command: a scenario, Bellhop beside it, and a pipeline that succeeds.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownFolder } from '../../cli/own-folder.ts'
import { fencedCommands } from '../../docs/pages.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { freePort } from '../../servers/redis-server.ts'
import { type Running, root, runCommand, startCommand } from '../process.ts'

const run = promisify(execFile)
const scenario = 'scenarios/demo.yml'
const setStatus =
  'curl -X POST -H "PRIVATE-TOKEN: secret" "http://127.0.0.1:3000/api/v4/projects/1/statuses/renovate%2Fleft-pad?state=success&name=ci&ref=renovate/left-pad"'
const mergeRequest = 'curl -H "PRIVATE-TOKEN: secret" http://127.0.0.1:3000/api/v4/projects/1/merge_requests/1'
const { folder } = ownFolder()
let commands: string[]
let sandbox: Running
let serve: Running
let service: string
let bot: string

/** A curl that must stand on the page word for word, at the sandbox of this test. */
async function curl(command: string): Promise<string> {
  expect(commands).toContain(command)
  const words = [...command.replaceAll('http://127.0.0.1:3000', service).matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  try {
    const { stdout } = await run('curl', ['--silent', '--show-error', '--fail', ...words.slice(1)])
    return stdout
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    return fetchAs(words)
  }
}

/** The same request where there is no curl. */
async function fetchAs(words: readonly string[]): Promise<string> {
  const after = (flag: string) => words[words.indexOf(flag) + 1] ?? ''
  const [name = '', value = ''] = after('-H').split(': ')
  const response = await fetch(words.at(-1) ?? '', {
    method: words.includes('-X') ? after('-X') : 'GET',
    headers: { [name]: value },
  })
  return response.text()
}

beforeAll(async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const page = /## Try rules in the sandbox\n(.*?)\n## /s.exec(readme)?.[1] ?? ''
  commands = fencedCommands(page)
  const port = await freePort()
  // The page's ports may be taken here.
  const copy = join(folder, 'scenario.yml')
  const text = await readFile(join(root, scenario), 'utf8')
  expect(text).toContain('http://127.0.0.1:8080/hooks')
  await writeFile(copy, text.replace('127.0.0.1:8080', `127.0.0.1:${port}`))
  const command = 'node bin/bellhop.cjs sandbox --port 3000 --root-token secret --scenario demo'
  expect(commands).toContain(command)
  const args = command.replace('--port 3000', '--port 0').replace('demo', copy).split(' ').slice(2)
  sandbox = startCommand(args, { TMPDIR: folder })
  service = (await sandbox.says(/^sandbox: (http:\S+)$/m))[1] ?? ''
  const [, settings = ''] = await sandbox.says(/^(BELLHOP_SERVICE_URL=.*) node bin\/bellhop\.cjs serve$/m)
  const given = Object.fromEntries(settings.split(' ').map((each) => each.split('='))) as Record<string, string>
  serve = startCommand(['serve'], { ...given, BELLHOP_QUEUE_URL: await prepareQueue(join(folder, 'queue')) })
  bot = (await serve.says(/^bellhop: (http:\S+)$/m))[1] ?? ''
})
afterAll(async () => {
  for (const each of [serve, sandbox]) {
    each.child.kill('SIGTERM')
    await each.ended
  }
})

test('the pipeline succeeds, and the merge request is labelled, approved and merged by the project’s own rules', async () => {
  expect(JSON.parse(await curl(setStatus))).toMatchObject({ status: 'success', ref: 'renovate/left-pad' })
  await expect
    .poll(async () => JSON.parse(await curl(mergeRequest)))
    .toMatchObject({ state: 'merged', labels: ['dependencies'] })
})

test('the admin token that the sandbox printed opens the dashboard at the address that it printed', async () => {
  const [, token = ''] = await sandbox.says(/^admin token: (\S+)$/m)
  const [, address = ''] = await sandbox.says(/log in at (\S+) with the admin token/)
  expect(address).toBe(`${bot}/admin`)
  const body = new URLSearchParams({ token })
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await fetch(`${address}/login`, { method: 'POST', body, headers, redirect: 'manual' })).status).toBe(303)
})

test('the first page of both says what it is and where to go, as HTML for a browser and else as text', async () => {
  for (const [url, title, place] of [
    [bot, 'Bellhop', '/admin'],
    [service, 'Bellhop sandbox', '/api/v4/projects'],
  ] as const) {
    const text = await fetch(url)
    expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await text.text()).toMatch(new RegExp(`^${title}\\n\\n[^]*${place}`))
    const html = await (await fetch(url, { headers: { accept: 'text/html,*/*' } })).text()
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(html).toContain(place)
  }
})

test('where the sandbox has nothing, a browser gets its first page and a program JSON', async () => {
  const url = `${service}/hotel/app/-/merge_requests/1`
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<h1>Bellhop sandbox</h1>')])
  const json = await fetch(url)
  expect([json.status, await json.json()]).toEqual([404, { error: '404 Not Found' }])
})

test('a scenario with a mistake is refused with its place, and one that is not there in one line', async () => {
  const broken = join(folder, 'broken.yml')
  await writeFile(broken, 'version: 1\nusers:\n  - usernam: alice\n')
  const args = ['sandbox', '--root-token', 'secret', '--scenario']
  const { code, stderr } = await runCommand([...args, broken])
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${broken}:3:5: users.0.usernam: unknown key`)])
  expect(await runCommand([...args, join(folder, 'none.yml')])).toMatchObject({ code: 2, stdout: '' })
})

test('editors get the schema of rule files without a token', async () => {
  expect(await (await fetch(`${bot}/schema.json`)).json()).toMatchObject({ $schema: expect.any(String), $defs: {} })
})
