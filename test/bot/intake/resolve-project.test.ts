// Old payloads without the project's id: the project is found by its path.
import { describe, expect, test } from 'vitest'
import { playService, service } from '../../client/world.ts'
import { file as ruleFile } from '../../rules/world.ts'
import { rulesOfVersion, useStores } from '../stores.ts'
import { enqueued, intakesOn } from './intake-world.ts'

const stores = useStores()
playService()
const makeIntake = intakesOn(stores)

const tell = 'rules:\n  - name: tell\n    on: [issue.*, wiki_page.*]\n    then: { notify: { to: team, text: Hello } }\n'
const usual = rulesOfVersion('')
const ruleFiles = {
  ...usual,
  inForce: async (project: number) => ({ ...(await usual.inForce(project)), files: [ruleFile(tell)] }),
}
const found = () => service().get('/projects/hotel%2Fapp').reply(200, { id: 7, path_with_namespace: 'hotel/app' })
const issue = (more: object) => ({ object_kind: 'issue', object_attributes: { action: 'open', iid: 4 }, ...more })
const wiki = (more: object) => ({ object_kind: 'wiki_page', object_attributes: { action: 'create' }, ...more })

describe('an event whose payload does not have the project’s id', () => {
  test.each<[string, object]>([
    ['a wiki page with the path', wiki({ project: { path_with_namespace: 'hotel/app' } })],
    ['an issue with the path', issue({ project: { path_with_namespace: 'hotel/app' } })],
    ['an issue with an address of the project', issue({ project: { web_url: 'https://code.example/hotel/app' } })],
    ['an issue with an address of the repository', issue({ repository: { homepage: 'http://x/hotel/app/' } })],
  ])('%s reaches the rules of the project', async (_what, payload) => {
    found()
    const intake = makeIntake({ ruleFiles })
    const { record } = await intake.take(payload)
    const project = { project: 7, iid: 0 }
    expect(record).toMatchObject({ state: 'read', mergeRequests: [project], event: { project: 7 } })
    expect(await enqueued(intake)).toEqual([0])
  })

  test.each<[string, object]>([
    ['an issue with it in its attributes', issue({ object_attributes: { action: 'open', project_id: 7 } })],
    ['one with an id of 0 above it', issue({ project: { id: 0 }, project_id: 7 })],
    [
      'one with a negative id above it',
      issue({ project: { id: -1 }, object_attributes: { action: 'open', project_id: 7 } }),
    ],
    ['one of a kind that no rule can name', { object_kind: 'build', project: { path_with_namespace: 'hotel/app' } }],
  ])('%s costs no call', async (_what, payload) => {
    const intake = makeIntake({ ruleFiles })
    const { record } = await intake.take(payload)
    expect(record?.event?.project).toBe('object_attributes' in payload || 'project_id' in payload ? 7 : undefined)
  })

  test('an issue without the project’s id reaches the rules for issues', async () => {
    found()
    const forIssues = 'rules:\n  - name: a\n    for: issues\n    if: { state: opened }\n    then: { todo: true }\n'
    const intake = makeIntake({
      ruleFiles: { ...usual, inForce: async (of) => ({ ...(await usual.inForce(of)), files: [ruleFile(forIssues)] }) },
    })
    const { record } = await intake.take(issue({ project: { path_with_namespace: 'hotel/app' } }))
    expect(record).toMatchObject({ mergeRequests: [{ project: 7, iid: -4 }] })
    expect(await enqueued(intake)).toEqual([-4])
  })

  test('with the secret of another project is refused', async () => {
    found()
    const intake = makeIntake({ ruleFiles })
    const { record } = await intake.take(wiki({ project: { path_with_namespace: 'hotel/app' } }), undefined, {
      secretProject: 8,
    })
    expect(record).toMatchObject({ state: 'refused' })
    expect(await enqueued(intake)).toEqual([])
  })

  test.each([
    ['404', { message: '404 Project Not Found' }, /cannot see hotel\/app/],
    ['301', { message: 'Moved Permanently' }, /hotel%2Fapp/],
  ])('that the service does not find (%s) is done, with the reason', async (status, body, reason) => {
    service().get('/projects/hotel%2Fapp').reply(Number(status), body, { location: 'https://code.example/elsewhere' })
    const { outcome, record } = await makeIntake({ ruleFiles }).take(
      issue({ project: { path_with_namespace: 'hotel/app' } }),
    )
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect(record).toMatchObject({ state: 'no_merge_request', reason: expect.stringMatching(reason) })
  })

  test('but a path that no call can carry is done, with the reason', async () => {
    const { record } = await makeIntake({ ruleFiles }).take(issue({ project: { path_with_namespace: 'a/\ud800' } }))
    expect(record).toMatchObject({ state: 'no_merge_request' })
  })
})
