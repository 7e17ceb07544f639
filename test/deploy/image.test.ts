// The Dockerfile's steps in a clean folder: the result runs without root, writes only its data, takes a delivery.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareQueue } from '../prepared-database.ts'
import { freePort } from '../servers/redis-server.ts'
import { root, runProgram, startProgram } from '../system/process.ts'
import { buildStage, npmEnvironment, readStages } from './build-stage.ts'
import { environmentOf, listOf, perform, type Stage, said } from './dockerfile.ts'

/** Debian 12 has git 2.39. */
const installGit = 'apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*'
const isRoot = process.getuid?.() === 0

let folder: string
let image: string
let last: Stage
let stages: Stage[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-image-'))
  await chmod(folder, 0o755)
  stages = await readStages()
  last = stages.at(-1) as Stage
  Object.assign(process.env, npmEnvironment)
  await symlink(await buildStage(), join(folder, 'build'))
  image = await perform(stages.slice(1), {
    context: root,
    folder,
    instead: (run, _stage, at) =>
      run === 'mkdir /data && chown node:node /data'
        ? mkdir(join(at, 'data')).then(() => undefined)
        : run === installGit
          ? Promise.resolve()
          : undefined,
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const filesBelow = async (path: string) => (await readdir(path, { recursive: true })).sort()

test('the base is pinned by version and digest, the same for both stages', () => {
  expect(new Set(stages.map(({ from }) => from)).size).toBe(1)
  expect(last.from).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/)
})

test('the base is the active LTS of Node, says so, and is newer than the oldest that the package allows', async () => {
  const [, base = '', major] = /^(node:(\d+)[^@]+)@/.exec(last.from) ?? []
  // Even, and older than the one that Node calls current: 24 is LTS from October 2025 to October 2027.
  expect(major).toBe('24')
  const label = last.steps.find(({ keyword }) => keyword === 'LABEL')?.text
  expect(label).toContain(`org.opencontainers.image.base.name="docker.io/library/${base}"`)
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(engines.node).toBe('>=20.19')
})

test('the image holds what runs, and nothing else', async () => {
  expect((await readdir(join(image, 'app'))).sort()).toEqual([
    'bin',
    'dist',
    'node_modules',
    'package-lock.json',
    'package.json',
    'rules',
    'scenarios',
  ])
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const modules = await readdir(join(image, 'app/node_modules'))
  expect(modules).toEqual(expect.arrayContaining(Object.keys(dependencies).map((name) => name.split('/')[0])))
  expect(modules.filter((name) => ['express', 'vitest', 'typescript', 'playwright-core'].includes(name))).toEqual([])
})

test('it has git for merge queues, whose repositories are with its data', () => {
  expect(last.steps.filter(({ keyword }) => keyword === 'RUN')[0]?.text).toBe(installGit)
  expect(environmentOf(last).BELLHOP_WORK_DIR).toMatch(/^\/data\//)
})

test('it runs as a numbered user that is not root, and says which version it is', async () => {
  expect(said(last, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(last.steps.find(({ keyword, text }) => keyword === 'ARG' && text.startsWith('VERSION='))?.text).toBe(
    `VERSION=${version}`,
  )
})

test('its command takes a delivery, its health check is content, and nothing but its data is written', async () => {
  const port = String(await freePort())
  // The stage's folder stands for "/".
  const placed = Object.entries(environmentOf(last)).map(([name, value]) => [
    name,
    value.replace(/\/(data|app)\//, `${image}/$1/`),
  ])
  const env = { PATH: process.env.PATH, ...Object.fromEntries(placed), TMPDIR: join(image, 'data') }
  const settings = {
    BELLHOP_SERVICE_URL: 'http://127.0.0.1:9',
    BELLHOP_SERVICE_TOKEN: 'service-token',
    BELLHOP_HOOK_SECRET: 'hook-secret',
    BELLHOP_HOST: '127.0.0.1',
    BELLHOP_PORT: port,
  }
  const options = { cwd: join(image, 'app'), env: { ...env, ...settings }, ...(isRoot ? { uid: 1000, gid: 1000 } : {}) }
  await runProgram(['chmod', '-R', 'a-w', join(image, 'app')], {})
  // The first start makes a database: a test of its own, and 5 s of a core.
  await prepareQueue(join(image, 'data/queue'))
  if (isRoot) await runProgram(['chown', '-R', '1000:1000', join(image, 'data')], {})
  const before = await filesBelow(join(image, 'app'))
  const running = startProgram([...listOf(said(last, 'ENTRYPOINT')), ...listOf(said(last, 'CMD'))], options)
  try {
    const [, url = ''] = await running.says(/^bellhop: (http:\S+)$/m)
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': 'hook-secret' }
    expect((await fetch(`${url}/hooks`, { method: 'POST', body: '{"object_kind":"issue"}', headers })).status).toBe(202)
    expect(await runProgram(listOf(said(last, 'HEALTHCHECK')), options)).toMatchObject({ code: 0, stderr: '' })
  } finally {
    running.child.kill('SIGTERM')
  }
  expect(await running.ended).toEqual({ code: 0, signal: null })
  expect(await runProgram(listOf(said(last, 'HEALTHCHECK')), options)).toMatchObject({ code: 1 })
  expect(await filesBelow(join(image, 'app'))).toEqual(before)
  await runProgram(['chmod', '-R', 'u+w', join(image, 'app')], {})
})
