// `bellhop explain` on a project with merge trains: on the train, waiting to be added, and on none.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextNumber } from '../../../src/sandbox/storage/world.ts'
import { known } from '../../system/world.ts'
import { bellhopHere as bellhop } from '../run-here.ts'
import { type ScenarioService, startScenario } from '../scenario-service.ts'

const requests = [
  ['first', 'running'],
  ['second', 'success'],
  ['third', 'running'],
  ['fourth', 'success'],
].map(
  ([name, pipeline]) =>
    `      - { title: ${name}, author: alice, source_branch: ${name}, files: { ${name}: x }, pipeline: ${pipeline} }\n`,
)
const text = `version: 1
users:
  - { username: alice, name: Alice }
  - { username: bellhop, name: Bellhop, bot: true }
groups:
  - { path: hotel, name: Hotel, members: { alice: developer, bellhop: maintainer } }
projects:
  - path: hotel/app
    name: App
    files:
      a: b
      .bellhop.yml: "version: 1\\nrules: [{ name: merge, if: { merge_train: [none, fresh] }, then: { accept: true } }]\\n"
    merge_requests:
${requests.join('')}`
let service: ScenarioService
beforeAll(async () => {
  service = await startScenario({ text })
  const { root, sandbox } = service
  const id = 'hotel/app'
  const { name = '' } = (await root.projects.get({ id })).body
  await root.projects.update({ id, name, merge_pipelines_enabled: true, merge_trains_enabled: true })
  const add = async (iid: number, auto_merge: boolean) => {
    const of = { id, merge_request_iid: iid }
    const { sha } = (await root.mergeRequests.get(of)).body
    await root.mergeTrains.add({ ...of, sha: known(sha), auto_merge })
  }
  await add(1, true)
  await add(3, true)
  // Its pipeline runs once more, which holds up those behind it.
  await sandbox.within(async (inside) => {
    const time = '2026-01-01T00:00:00.000Z'
    const car = { id: nextNumber(inside, 'train cars'), user_id: 1, created_at: time, updated_at: time }
    inside.mergeRequests.update(1, { train_car: { ...car, status: 'fresh', merged_at: null } })
  })
  await add(2, false)
  await sandbox.idle()
})
afterAll(() => service.close())

test.each([
  [2, 'fresh', /accept: .*it is on the merge train, which says fresh/, []],
  [3, 'none', /pipeline must be .*it is "running"/, []],
  [4, 'none', /accept: add [0-9a-f]{8} to the merge train/, ['mergeTrains.add']],
])('!%i shows the state %s, and what accept would do', async (iid, state, detail, calls) => {
  const run = await bellhop(['explain', 'hotel/app', String(iid)], service.environment)
  expect([run.code, run.err]).toEqual([0, ''])
  expect(run.out).toMatch(new RegExp(`merge_train: .*"none".*"fresh".*actual "${state}"`))
  expect(run.out).toMatch(detail)
  expect([...run.out.matchAll(/^ {2}(mergeTrains\.\w+|mergeRequests\.accept)/gm)].map(([, name]) => name)).toEqual(
    calls,
  )
  expect(service.writes()).toEqual([])
})
