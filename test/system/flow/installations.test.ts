// What differs between GitLab installations: Bellhop does the same on a new Premium and an old Free one, or says why not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: plan, if: { labels: { any: [plan] } }, then: { milestone: "17.0" } }
  - { name: plan badly, if: { labels: { any: [plan badly] } }, then: { milestone: "99.0" } }
`

describe.each([
  ['a new Premium', { tier: 'premium', version: '18.11.0' }],
  ['an old Free', { tier: 'free', version: '15.6.0' }],
] as const)('on %s installation', (_name, installation) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, installation })
    await world.service.groups.milestones.create({ id: 'hotel', title: '17.0' })
  })
  afterAll(() => world.end())

  const outcome = async (iid: number, rule: string) => {
    const decided = (await world.decisions(iid)).map((each) => each.rules.find(({ name }) => name === rule))
    return decided.findLast((each) => each?.verdict === 'true')?.actions[0]
  }

  test('a milestone of the group is found', async () => {
    const { iid } = await world.open('Plan it')
    await world.update(iid, { labels: 'plan' })
    expect((await world.mergeRequest(iid)).milestone?.title).toBe('17.0')
  })
  test('a milestone that is nowhere is blocked', async () => {
    const { iid } = await world.open('Plan it badly')
    await world.update(iid, { labels: 'plan badly' })
    expect(await outcome(iid, 'plan badly')).toMatchObject({ result: 'blocked', detail: 'there is no milestone 99.0' })
    expect(known(await world.mergeRequest(iid)).milestone).toBeNull()
  })
})
