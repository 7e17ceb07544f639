// docs/without-a-server.md: its commands and its job run as they stand, and the template is that job.
import { join, resolve } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { eventKinds } from '../../src/rules/language/events.ts'
import { unseenWithoutHooks } from '../../src/rules/lint/warnings.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { runProgram } from '../system/process.ts'
import { type RunWorld, startRunWorld } from '../system/run/run-world.ts'
import { fencedCommands, readPage, readText } from './pages.ts'

const page = readPage('without-a-server.md')
const root = resolve(import.meta.dirname, '../..')
const rules = 'version: 1\nrules:\n  - { name: all, if: { draft: false }, then: { label: { add: stale } } }\n'

let world: RunWorld
beforeAll(async () => {
  world = await startRunWorld(rules)
  return () => world.close()
})

function run(command: string, cwd: string, environment: Record<string, string>) {
  const [program = '', ...args] = command.split(' ')
  const bellhop = [process.execPath, join(root, 'bin/bellhop.cjs')]
  const words = program === 'bellhop' ? bellhop : [...bellhop, ...args.splice(0, 1).slice(1)]
  return runProgram([...words, ...args], { cwd, env: { PATH: process.env.PATH, NO_COLOR: '1', ...environment } })
}

test('its commands run one after the other, and only the last one sends', async () => {
  const { iid } = await world.open({ branch: 'one' })
  const { folder, write } = ownFolder()
  write('.bellhop.yml', rules)
  const commands = fencedCommands(page)
  const labels: (readonly string[] | undefined)[] = []
  for (const command of commands) {
    expect(await run(command, folder, world.environment)).toMatchObject({ code: 0 })
    labels.push((await world.mergeRequest(iid)).labels)
  }
  expect(labels).toEqual([[], [], ['stale']])
})

test('the job runs in CI, and the template is the same job in ten lines', async () => {
  const [, job = ''] = /^```yaml\n(.*?)^```/ms.exec(page) ?? []
  const template = readText('templates/bellhop.yml')
  const [head, body] = parseAllDocuments(template.replace('$[[ inputs.image ]]', 'registry.example.com/bellhop:0.1.0'))
  expect(Object.keys(head?.toJS().spec.inputs)).toEqual(['image'])
  expect(body?.toJS()).toEqual(parse(job))
  expect(job.trim().split('\n').length).toBeLessThanOrEqual(10)
  const { script, variables, cache } = parse(job).bellhop
  expect(script).toEqual(['node /app/bin/bellhop.cjs run --report bellhop.md'])
  expect([variables, cache.when]).toEqual([{ GIT_STRATEGY: 'none' }, 'always'])
  const { BELLHOP_SERVICE_URL: CI_SERVER_URL = '', BELLHOP_SERVICE_TOKEN = '' } = world.environment
  const environment = { CI_SERVER_URL, CI_PROJECT_PATH: 'hotel/app', BELLHOP_SERVICE_TOKEN }
  const ended = await run(script[0], ownFolder().folder, environment)
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 project, \d+ read/) })
})

test('its table lists the events that check finds to be seen', () => {
  const table = page.slice(page.indexOf('| event |'), page.indexOf('Only hooks tell'))
  const named = [...table.matchAll(/`([a-z_]+)\.([a-z]+)`|`\.([a-z]+)`/g)]
  let object = ''
  const listed = named.map(([, of, action, more]) => {
    object = of ?? object
    return `${object}.${action ?? more}`
  })
  const isSeen = (kind: string) => {
    const changed = kind.endsWith('.update') && !kind.startsWith('note') ? { changed: ['labels'] } : {}
    const rule = { on: [{ kind, ...changed }] } as Parameters<typeof unseenWithoutHooks>[0]['rules'][number]
    return unseenWithoutHooks({ rules: [rule] }).length === 0
  }
  const seen = eventKinds.filter((kind) => !kind.endsWith('.*') && isSeen(kind))
  // Without `changed: [labels]` a wiki page is none of these.
  expect(new Set(listed)).toEqual(new Set(seen))
})
