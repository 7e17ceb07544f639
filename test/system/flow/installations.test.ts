// What differs between GitLab installations: Bellhop does the same on a new Premium and an old Free one, or says why not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: plan, if: { labels: { any: [plan] } }, then: { milestone: "17.0" } }
  - { name: plan badly, if: { labels: { any: [plan badly] } }, then: { milestone: "99.0" } }
  - name: share
    if: { labels: { any: [share] } }
    then: { assign: [alice, bellhop], review: [bellhop, alice] }
  - { name: docs, if: { changed_files: { all: "docs/**" } }, then: { label: { add: docs } } }
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
  test('several assignees and reviewers are kept, or those whom Free drops are shown', async () => {
    const { iid } = await world.open('Share it')
    await world.update(iid, { labels: 'share' })
    const { assignees, reviewers } = await world.mergeRequest(iid)
    const names = (users: typeof assignees) => users?.map(({ username }) => username)
    const isFree = installation.tier === 'free'
    const results = world.calls(iid).map(({ result }) => result)
    await world.update(iid, { title: 'Share it again' })
    expect(world.calls(iid)).toHaveLength(1)
    const { actions } = (await world.decisions(iid))[0]?.rules.find(({ name }) => name === 'share') ?? {}
    if (!isFree) {
      expect([names(assignees), names(reviewers), results]).toEqual([
        ['alice', 'bellhop'],
        ['bellhop', 'alice'],
        ['done'],
      ])
      expect(actions?.map(({ result }) => result)).toEqual(['done_before', 'done_before'])
      return
    }
    expect([names(assignees), names(reviewers), results]).toEqual([['alice'], ['bellhop'], ['dropped']])
    expect(actions).toMatchObject([
      { action: 'assign', result: 'blocked', detail: expect.stringContaining('the service dropped "bellhop"') },
      { action: 'review', result: 'blocked', detail: expect.stringContaining('the service dropped "alice"') },
    ])
  })
  test('changed files that are refused in one answer are read in pages, where the service has pages', async () => {
    const mend = world.sandbox.faults.api({ endpoint: 'mergeRequests.changes', caller: 'bellhop', do: { status: 404 } })
    const files = { 'docs/a.md': 'a\n', 'docs/b.md': 'b\n' }
    const [docs, other] = [
      await world.open('Docs', { files }),
      await world.open('Docs and more', { files: { ...files, c: 'c' } }),
    ]
    mend()
    expect(await world.labels(docs.iid)).toEqual(installation.tier === 'free' ? [] : ['docs'])
    expect(await world.labels(other.iid)).toEqual([])
    if (installation.tier === 'premium') return
    const { conditions } = (await world.decisions(docs.iid))[0]?.rules.find(({ name }) => name === 'docs') ?? {}
    expect(conditions?.verdict).toBe('unknown')
  })
  test('a milestone that is nowhere is blocked', async () => {
    const { iid } = await world.open('Plan it badly')
    await world.update(iid, { labels: 'plan badly' })
    expect(await outcome(iid, 'plan badly')).toMatchObject({ result: 'blocked', detail: 'there is no milestone 99.0' })
    expect(known(await world.mergeRequest(iid)).milestone).toBeNull()
  })
})
