// The layout of src and test, and one meaning for each exported type name.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const mostFiles = 20
/** One file for each entry, and nothing else. */
const registries = [
  ...['src/api/endpoints', 'src/sandbox/endpoints', 'test/sandbox/endpoints'],
  ...['src/rules/actions', 'test/rules/actions'],
  ...['src/cli/commands', 'test/cli/commands'],
]
/** Folders of test that mirror no module: what they test is the whole, or stands beside src. */
const ofTheWhole = ['bench', 'clients', 'deploy', 'docs', 'scripts', 'servers', 'soak', 'suites', 'system']

function entries(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
}
const all = [...entries('src'), ...entries('test')]
const files = all.filter((path) => statSync(join(root, path)).isFile())

test('no folder holds more than 20 files, registries aside', () => {
  const count = new Map<string, number>()
  for (const file of files) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1)
  const large = [...count].filter(([folder, number]) => number > mostFiles && !registries.includes(folder))
  expect(large).toEqual([])
})

test('no folder is called after nothing', () => {
  expect(files.filter((file) => /\/(utils?|common|shared|misc|helpers?)\//.test(file))).toEqual([])
})

test('every folder of test mirrors one of src', () => {
  const folders = new Set(entries('src').map((path) => dirname(path).replace(/^src/, 'test')))
  const tests = files.filter((file) => file.endsWith('.test.ts') && !ofTheWhole.includes(file.split('/')[1] ?? ''))
  expect([...new Set(tests.map(dirname))].filter((folder) => folder !== 'test' && !folders.has(folder))).toEqual([])
})

test('every exported type name is declared once', () => {
  const places = new Map<string, string[]>()
  for (const file of files.filter((path) => /^src\/.*\.tsx?$/.test(path)))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
    ))
      places.set(name, [...(places.get(name) ?? []), file])
  expect([...places].filter(([, where]) => where.length > 1)).toEqual([])
})

const cites = /(?:DESIGN|TERMS|STYLE)\b|§|[\w./-]+\.md\b/g

test('what the source cites is in the repository', () => {
  const missing = files.flatMap((file) => {
    if (!/^src\/.*\.(?:tsx?|sql)$/.test(file)) return []
    const comments = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => /^\s*(?:\/\/|\/\*\*|\*|--)/.test(line))
    // The pages of the service's own docs have addresses below api/.
    const cited = comments.flatMap((line) => line.match(cites) ?? []).filter((name) => !/^api\/[\w/]+\.md$/.test(name))
    return cited.filter((name) => !existsSync(join(root, name))).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
})
