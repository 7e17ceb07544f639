// Pipelines by comments, on both kinds of installation: failures rerun once per comment, also if a response is lost.
import { type NewScript, scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: retry, command: retry, then: { pipeline: retry } }
  - { name: run, command: run, then: { pipeline: run } }
  - { name: cancel, command: cancel, then: { pipeline: cancel } }
`

describe.each(['premium', 'free'] as const)('on %s', (tier) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, tier })
  })
  afterAll(() => world.end())

  const script = (ends: NewScript['ends'], takes = 0) =>
    world.sandbox.within(async (inside) =>
      scriptPipelines(inside, world.project, [{ branches: '**', kind: 'merge_request', takes, ends }]),
    )
  const pipelines = async (iid: number) => {
    const { body } = await world.service.mergeRequests.pipelines(world.ref(iid))
    return body.map(({ status }) => status)
  }
  const done = (iid: number) =>
    world
      .calls(iid)
      // Commands are answered, too.
      .filter(({ endpoint }) => endpoint?.startsWith('mergeRequests.notes.') !== true)
      .map(({ endpoint, result }) => [endpoint, result])

  test('a comment retries what failed, and runs a new one', async () => {
    await script(['failed', 'success', 'success'])
    const { iid } = await world.open('Mend it')
    await expect.poll(() => pipelines(iid)).toEqual(['failed'])
    await world.say(iid, '@bellhop retry', world.people.renovate)
    await expect.poll(() => pipelines(iid)).toEqual(['success'])
    await world.say(iid, '@bellhop retry', world.people.renovate)
    await world.say(iid, '@bellhop run', world.people.renovate)
    await expect.poll(() => pipelines(iid)).toEqual(['success', 'success'])
    expect(done(iid)).toEqual([
      ['repository.pipelines.retry', 'done'],
      ['mergeRequests.createPipeline', 'done'],
    ])
  })
  test('a running one is canceled, and a run whose response was lost is not repeated', async () => {
    await script(['success'], 60_000)
    const { iid } = await world.open('Wait for it')
    await expect.poll(() => pipelines(iid)).toEqual(['pending'])
    await world.say(iid, '@bellhop cancel', world.people.renovate)
    expect(await pipelines(iid)).toEqual(['canceled'])
    world.sandbox.faults.api({ endpoint: 'mergeRequests.createPipeline', times: 1, do: 'lose_response' })
    await world.say(iid, '@bellhop run', world.people.renovate)
    expect(await pipelines(iid)).toEqual(['pending', 'canceled'])
  })
})
