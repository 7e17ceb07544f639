// The package as others get it: packed, installed from the tarball in an empty folder, and run there.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareQueue } from '../prepared-database.ts'
import { root, runProgram, startProgram } from '../system/process.ts'
import { startRunWorld } from '../system/run/run-world.ts'
import { buildStage, npmEnvironment } from './build-stage.ts'

interface Packed {
  filename: string
  version: string
  size: number
  unpackedSize: number
  entryCount: number
  files: { path: string }[]
}

let folder: string
let empty: string
let packed: Packed
const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md']
const env = { ...process.env, ...npmEnvironment }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-package-'))
  packed = await pack(join(folder, 'source'))
  empty = join(folder, 'empty')
  await install(empty)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** With what `npm run build` made in a clean folder: `prepack` would make it again. */
async function pack(source: string): Promise<Packed> {
  for (const name of ['package.json', 'bin', 'rules', 'scenarios', 'templates', 'docs', ...documents])
    await cp(join(root, name), join(source, name), { recursive: true })
  await cp(join(await buildStage(), 'app/dist'), join(source, 'dist'), { recursive: true })
  const command = ['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { code, stdout, stderr } = await runProgram(command, { cwd: source, env })
  if (code !== 0) throw new Error(stderr)
  return (JSON.parse(stdout) as Packed[])[0] as Packed
}

/** As `npm install bellhop-0.1.0.tgz`, with our lock file's versions: no registry need be asked for the newest. */
async function install(to: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const { '': own, ...all } = lock.packages as Record<
    string,
    { dev?: boolean; name: string; version: string; [key: string]: unknown }
  >
  if (own === undefined) throw new Error('package-lock.json says nothing of the package itself')
  const { devDependencies: _dev, ...bellhop } = own
  const tarball = join(folder, packed.filename)
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}`
  const dependencies = { bellhop: `file:${tarball}` }
  const needed = Object.fromEntries(Object.entries(all).filter(([, { dev }]) => dev !== true))
  const packages = {
    '': { name: 'empty', dependencies },
    ...needed,
    'node_modules/bellhop': { ...bellhop, resolved: dependencies.bellhop, integrity },
  }
  await cp(join(root, 'rules/examples/label-documentation.yml'), join(to, '.bellhop.yml'))
  await writeFile(join(to, 'package.json'), JSON.stringify({ name: 'empty', private: true, dependencies }))
  await writeFile(
    join(to, 'package-lock.json'),
    JSON.stringify({ name: 'empty', lockfileVersion: 3, requires: true, packages }),
  )
  const { code, stderr } = await runProgram(['npm', 'ci'], { cwd: to, env })
  if (code !== 0) throw new Error(stderr)
}

const bellhop = (args: readonly string[], given: Record<string, string> = {}) =>
  runProgram(['npx', '--no', '--', 'bellhop', ...args], { cwd: empty, env: { ...env, ...given } })

const bundle = () => join(empty, 'node_modules/bellhop/dist/bundle')

/** The components of the software bill of materials. */
async function bundled(): Promise<{ name: string; version: string; purl: string; hashes: { content: string }[] }[]> {
  return JSON.parse(await readFile(join(bundle(), 'bellhop.cdx.json'), 'utf8')).components
}

async function manifest(): Promise<{ dependencies: Record<string, string> }> {
  return JSON.parse(await readFile(join(empty, 'node_modules/bellhop/package.json'), 'utf8'))
}

/** The packages that the source names after one of these words. */
async function packagesAfter(words: string): Promise<string[]> {
  const found = new Set<string>()
  const specifier = new RegExp(`(?:${words})'(@[^/']+/[^/']+|[a-z][^/':]*)[/']`, 'g')
  for (const path of await readdir(join(root, 'src'), { recursive: true })) {
    const text = /\.tsx?$/.test(path) ? await readFile(join(root, 'src', path), 'utf8') : ''
    for (const [, name = ''] of text.matchAll(specifier)) found.add(name)
  }
  return [...found]
}

describe('the tarball', () => {
  test('is built anew when it is packed', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(scripts.prepack).toBe('rm -rf dist && npm run --silent build')
  })

  test('holds what runs and what ships, and nothing of the workshop', async () => {
    const places = new Set(
      packed.files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path)),
    )
    expect([...places].sort()).toEqual(
      [...documents, 'bin', 'dist', 'docs', 'package.json', 'rules', 'scenarios', 'templates'].sort(),
    )
    expect(packed.files.filter(({ path }) => /\.map$|\.tsx?$|(^|\/)test\//.test(path))).toEqual([])
    process.stdout.write(
      `the package: ${packed.entryCount} files, ${Math.round(packed.size / 1024)} KB packed, ${Math.round(packed.unpackedSize / 1024)} KB unpacked\n`,
    )
    // The template of the embedded database is compressed already, and larger than all the rest.
    const { size: template } = await stat(join(folder, 'source/dist/embedded-postgres/template.br'))
    expect(template).toBeLessThan(2 * 1024 * 1024)
    expect(packed.size - template).toBeLessThan(2 * 1024 * 1024)
  })

  test('holds what its README links to', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\((?!http)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links).toContain('docs/rules.md')
    expect(links.filter((path) => !packed.files.some((each) => each.path === path))).toEqual([])
  })

  test('carries the licences of the packages that are bundled in it', async () => {
    const licences = await readFile(join(bundle(), 'LICENCES.txt'), 'utf8')
    for (const { name, version } of await bundled()) expect(licences).toContain(`${name} ${version}\n`)
    expect(licences.match(/permission|copyright/gi)?.length).toBeGreaterThan((await bundled()).length)
  })

  test('lists for scanners what is bundled: with what it installs, all that the source imports, and nothing twice', async () => {
    const { dependencies } = await manifest()
    const installed = Object.keys(dependencies)
    const listed = (await bundled()).map(({ name }) => name)
    expect(installed.filter((name) => listed.includes(name))).toEqual([])
    expect(
      (await packagesAfter('from |import\\(')).filter((name) => ![...installed, ...listed].includes(name)),
    ).toEqual([])
  })

  test('installs packages that are loaded when they are needed: bundled, they would lose the names of CommonJS', async () => {
    const loaded = await packagesAfter('await import\\(')
    expect(loaded).toContain('undici')
    expect(Object.keys((await manifest()).dependencies)).toEqual(expect.arrayContaining(loaded))
  })

  test('lists packages as the registry has them', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'node_modules/@opentelemetry/api/package.json'), 'utf8'))
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
    const { integrity } = lock.packages['node_modules/@opentelemetry/api']
    const component = (await bundled()).find(({ name }) => name === '@opentelemetry/api')
    expect(component).toMatchObject({ version, purl: `pkg:npm/%40opentelemetry/api@${version}` })
    const [{ content = '' } = {}] = component?.hashes ?? []
    expect(`sha512-${Buffer.from(content, 'hex').toString('base64')}`).toBe(integrity)
  })

  test('has the version that the changelog has', async () => {
    const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
    expect([...changelog.matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name).slice(0, 2)).toEqual([
      'Unreleased',
      packed.version,
    ])
    expect(packed.version).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

describe('installed in an empty folder', () => {
  test('npx bellhop says its version, and checks rules', async () => {
    expect(await bellhop(['--version'])).toEqual({ code: 0, stdout: `${packed.version}\n`, stderr: '' })
    expect(await bellhop(['check'])).toMatchObject({ code: 0, stdout: '1 file without problems.\n' })
  })

  test('sandbox with its demo, and serve start, and a delivery is taken', async () => {
    const command = join(empty, 'node_modules/.bin/bellhop')
    const sandbox = startProgram(
      [command, 'sandbox', '--port', '0', '--root-token', 'root-token', '--scenario', 'demo'],
      {
        cwd: empty,
        env: { ...env, TMPDIR: folder },
      },
    )
    const [, service = ''] = await sandbox.says(/^sandbox: (http:\S+)$/m)
    await sandbox.says(/^token of bellhop: /m)
    const serve = startProgram([command, 'serve'], {
      cwd: empty,
      env: {
        ...env,
        BELLHOP_SERVICE_URL: service,
        BELLHOP_SERVICE_TOKEN: 'root-token',
        BELLHOP_HOOK_SECRET: 'hook-secret',
        BELLHOP_PORT: '0',
        BELLHOP_QUEUE_URL: await prepareQueue(join(folder, 'queue')),
      },
    })
    try {
      const [, url = ''] = await serve.says(/^bellhop: (http:\S+)$/m)
      const headers = { 'content-type': 'application/json', 'x-gitlab-token': 'hook-secret' }
      expect((await fetch(`${url}/hooks`, { method: 'POST', body: '{"object_kind":"issue"}', headers })).status).toBe(
        202,
      )
    } finally {
      for (const each of [serve, sandbox]) each.child.kill('SIGTERM')
    }
    expect([await serve.ended, await sandbox.ended]).toEqual(Array(2).fill({ code: 0, signal: null }))
  })

  test('what it exports is the schema of rule files; the code inside is its own', async () => {
    const ask = (name: string) =>
      runProgram([process.execPath, '-e', `console.log(require('bellhop/${name}').$defs ? 'schema' : 'other')`], {
        cwd: empty,
        env,
      })
    expect(await ask('bellhop.schema.json')).toMatchObject({ code: 0, stdout: 'schema\n' })
    expect((await ask('dist/cli/main.js')).stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})

describe('installed in an empty folder, without a server', () => {
  const policies = `resource_rules:
  merge_requests:
    rules:
      - name: urgent ones
        conditions: { state: opened, draft: false, ruby: 'resource[:title].match(/^urgent/)' }
        actions: { labels: [urgent], comment: It is urgent. }
      - { name: not ours, conditions: { state: opened }, actions: { move: hotel/other } }
`
  const imports = async (file: string, text: string) => {
    await writeFile(join(empty, file), text)
    return bellhop(['import', file, '--output', `rules-of-${file}`])
  }

  test('policies of gitlab-triage and options of marge-bot are imported', async () => {
    expect(await imports('triage.yml', policies)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^triage\.yml:7:11: .*: not converted\ntriage\.yml:7:69: .* move .*\nbellhop: 1 of 2 .*\n$/,
      ),
    })
    expect(await imports('marge.yml', 'batch: true\nci-timeout: 20min\n')).toMatchObject({ code: 0 })
    expect(await bellhop(['check', 'rules-of-triage.yml', 'rules-of-marge.yml'])).toMatchObject({ code: 0 })
    expect(await readFile(join(empty, 'rules-of-marge.yml'), 'utf8')).toContain('assignees:')
  })

  test('runs do what was imported once, also at once, or where the cache is lost', async () => {
    await imports('policies.yml', policies)
    const world = await startRunWorld(await readFile(join(empty, 'rules-of-policies.yml'), 'utf8'))
    onTestFinished(() => world.close())
    const [urgent, other] = [await world.open({ branch: 'urgent-fix' }), await world.open({ branch: 'fix' })]
    const settings = { ...world.environment, BELLHOP_NEW_RULE_LIMIT: '0' }
    const args = ['run', '--project', 'hotel/app']
    const first = startProgram([join(empty, 'node_modules/.bin/bellhop'), ...args], {
      cwd: empty,
      env: { ...env, ...settings },
    })
    await expect.poll(() => existsSync(join(empty, '.bellhop/journal'))).toBe(true)
    const stderr = 'bellhop: another run, or bellhop serve, uses .bellhop: there is nothing to do\n'
    expect(await bellhop(args, settings)).toEqual({ code: 0, stdout: '', stderr })
    expect(await first.ended).toEqual({ code: 0, signal: null })
    expect(first.stdout()).toContain('hotel/app!1 · urgent-fix')
    expect((await world.mergeRequest(urgent.iid)).labels).toEqual(['urgent'])
    expect((await world.mergeRequest(other.iid)).labels).toEqual([])
    const before = world.writes().length
    expect(await bellhop(args, settings)).toMatchObject({ code: 0 })
    await rm(join(empty, '.bellhop'), { recursive: true })
    expect(await bellhop(args, settings)).toMatchObject({ code: 0 })
    expect(world.writes().slice(before)).toEqual(Array(2).fill('projects.star'))
    expect(await world.answers(urgent.iid)).toEqual([expect.stringContaining('It is urgent.')])
  })
})
