// The README's commands, each run as it stands there, against the real processes; and its rules.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolder } from '../../cli/own-folder.ts'
import { fencedCommands, inlineCommands } from '../../docs/pages.ts'
import { type Running, root, runCommand, startCommand } from '../process.ts'

const { folder } = ownFolder()
let readme: string
let commands: string[]
let sandbox: Running
let serve: Running
let bellhop: string
let environment: Record<string, string>

/** Runs a command that must stand in the README word for word; `<id>` is filled in. */
async function documented(command: string, id = '') {
  expect(commands).toContain(command)
  return runCommand(command.replace('<id>', id).split(' ').slice(2), environment)
}

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  commands = [...fencedCommands(readme), ...inlineCommands(readme)]
  sandbox = startCommand(['sandbox', '--port', '0', '--root-token', 'root-token'], { TMPDIR: folder })
  const [, service = ''] = await sandbox.says(/^sandbox: (http:\S+)$/m)
  const settings = {
    BELLHOP_SERVICE_URL: service,
    BELLHOP_SERVICE_TOKEN: 'root-token',
    BELLHOP_HOOK_SECRET: 'hook-secret',
    BELLHOP_ADMIN_TOKEN: 'admin-token',
  }
  for (const name of Object.keys(settings)) expect(readme).toContain(`export ${name}=`)
  const serveCommand = 'node bin/bellhop.cjs serve'
  expect(commands).toContain(serveCommand)
  serve = startCommand(serveCommand.split(' ').slice(2), {
    ...settings,
    BELLHOP_PORT: '0',
    BELLHOP_QUEUE_URL: `embedded:${join(folder, 'queue')}`,
  })
  const [, url = ''] = await serve.says(/^bellhop: (http:\S+)$/m)
  bellhop = url
  environment = { BELLHOP_ADMIN_URL: bellhop, BELLHOP_ADMIN_TOKEN: 'admin-token' }
})
afterAll(async () => {
  for (const each of [serve, sandbox]) {
    each.child.kill('SIGTERM')
    await each.ended
  }
})

test('deliveries are listed, shown and replayed as the README says', async () => {
  const response = await fetch(`${bellhop}/hooks`, {
    method: 'POST',
    body: '{"object_kind":"issue"}',
    headers: { 'x-gitlab-token': 'hook-secret', 'content-type': 'application/json' },
  })
  expect(response.status).toBe(202)
  const { id } = (await response.json()) as { id: string }
  await expect
    .poll(async () => (await documented('node bin/bellhop.cjs deliveries list')).stdout)
    .toMatch(new RegExp(`${id}.*issue.*no merge request`))
  const shown = await documented('node bin/bellhop.cjs deliveries show <id>', id)
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.stdout).toContain(`delivery ${id}`)
  expect(await documented('node bin/bellhop.cjs deliveries replay <id>', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing was sent.'),
  })
  expect(await documented('node bin/bellhop.cjs deliveries replay <id> --apply', id)).toMatchObject({
    code: 0,
    stdout: `Replay 1 of ${id} is enqueued.\n`,
  })
  expect((await runCommand(['deliveries', 'show', 'd-unknown'], environment)).code).toBe(1)
})

test('the README’s rules are fine, as check says with the README’s own command', async () => {
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(readme) ?? []
  await writeFile(join(folder, '.bellhop.yml'), yaml)
  expect(await runCommand(['check', join(folder, '.bellhop.yml')])).toMatchObject({
    code: 0,
    stdout: '1 file without problems.\n',
  })
  // In the project's own folder there is no such file: wrong usage, in one line.
  expect(await documented('node bin/bellhop.cjs check .bellhop.yml')).toMatchObject({
    code: 2,
    stderr: 'bellhop: There is no file .bellhop.yml. bellhop init writes one.\n',
  })
})

test('CI runs the README’s first commands', async () => {
  expect(commands.slice(0, 4)).toEqual(['npm ci', 'npm run demo', 'npm ci', 'npm test'])
  expect(await readFile(join(root, '.ci/run'), 'utf8')).toMatch(/^npm ci\n(?:.+\n)?npm test\n(?:.*\n)*npm run demo$/m)
})
