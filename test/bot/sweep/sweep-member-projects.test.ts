// Sweeps of projects that have sent no delivery: which rules invite them, and what they cost.
import nock from 'nock'
import { sweepAll } from '../../../src/bot/sweep/sweep.ts'
import { HOST, playService } from '../../client/world.ts'
import { useStores } from '../stores.ts'
import { many, newProject, rulesOf, sweepWorld } from './sweep-world.ts'

const stores = useStores()
playService()

describe.sequential('a project without a delivery', () => {
  test('finding such projects leaves calls for those that send deliveries', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, { entries: many(1) })
    nock.cleanAll()
    let listed = 0
    nock(HOST)
      .persist()
      .get(/^\/api\/v4\/projects\?/)
      .reply(() => {
        listed += 1
        return [200, [{ id: 900_000 + listed }], { 'x-next-page': String(listed + 1) }]
      })
    nock(HOST)
      .get(/^\/api\/v4\/projects\/\d+\/merge_requests\?/)
      .times(2)
      .reply(200, [{ iid: 1, state: 'opened', updated_at: '2026-11-21T10:00:00.000Z' }])
    await sweepAll(world.within(14), world.now())
    expect(listed).toBeLessThanOrEqual(4)
    expect(await world.enqueued()).toEqual([`${project}!1`])
  })

  test.each([
    ['the repository’s own rules invite', { level: 30, file: true }, true],
    ['the operator’s rules for all projects do not', { level: 30, file: false }, false],
    [
      'a project of which the bot is no member is left alone, though the service lists it',
      { level: null, file: true },
      false,
    ],
  ])('%s', async (_case, project, swept) => {
    const world = sweepWorld(stores)
    const id = newProject()
    const asked: number[] = []
    const rules = rulesOf(project.file ? 'repository' : 'operator')
    world.playMemberProject(id, { entries: many(2) }, project)
    const inForce = async (each: number) => {
      asked.push(each)
      return rules.inForce(each)
    }
    await sweepAll({ ...world.context, rules: { ...rules, inForce } }, world.now())
    expect(await world.enqueued()).toEqual(swept ? [`${id}!1`, `${id}!2`] : [])
    // What is read that way is believed for minutes: the first delivery after a first rule file would meet no rules.
    expect(asked).toEqual(swept ? [id] : [])
  })

  test('a rule file of its own without any rule does not invite the operator’s rules for all projects', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    world.playMemberProject(project, { entries: many(1) }, { level: 30, file: true })
    await sweepAll({ ...world.context, rules: rulesOf('operator') }, world.now())
    expect(await world.enqueued()).toEqual([])
  })

  test('the operator’s rules that name the project invite', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    world.playMemberProject(project, { entries: many(1) }, { level: 30, file: false })
    const operatorFiles = [
      { path: 'o.yml', trust: 'operator', blob: 'o', rules: { file: 'o.yml', projects: ['acme/*'], rules: [] } },
    ] as const
    const operator = { ...world.context.operator, operatorFiles: operatorFiles as never }
    await sweepAll({ ...world.context, rules: rulesOf('operator'), operator }, world.now())
    expect(await world.enqueued()).toEqual([`${project}!1`])
  })

  test('own rules that were removed enqueue every open merge request once, for withdrawals', async () => {
    const world = sweepWorld(stores)
    const project = newProject()
    const given = { level: 30, file: true }
    world.playMemberProject(project, { entries: many(2) }, given)
    const swept = async () => {
      await sweepAll(world.context, world.now())
      const enqueued = await world.enqueued()
      for (const iid of [1, 2]) await world.evaluated(project, iid)
      world.pass(90)
      return enqueued
    }
    const both = [`${project}!1`, `${project}!2`]
    expect(await swept()).toEqual(both)
    await swept()
    expect(await swept()).toEqual([])
    given.file = false
    // What was known of its rules is not believed for longer.
    world.pass(6 * 3600)
    expect(await swept()).toEqual(both)
    expect(await swept()).toEqual([])
  })
})
